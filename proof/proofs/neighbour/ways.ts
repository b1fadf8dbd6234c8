/** Other ways to be loud than by many documents, each of one tenant. */
import { createRootKey } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { companyReport } from '../../harness/heavy-texts.ts'
import { requestJson, send } from '../../harness/http.ts'
import type { HttpRequest } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'

export interface LoudWay {
  readonly name: string
  /** Scopes that the tenant has before it begins. */
  readonly scopes: number
  /** Makes the state that must be there before anybody measures. */
  readonly prepare?: (fleet: Fleet, places: Places, size: WaySize) => Promise<void>
  readonly start: (fleet: Fleet, places: Places) => LoudLoad
}

export interface WaySize {
  /** How long the quiet tenants are measured alone, and beside the way. */
  readonly wayMs: number
  /** Scopes with one document each. */
  readonly manyScopes: number
}

export interface LoudLoad {
  /** Answers by their status; those without one count as 0. */
  readonly answers: ReadonlyMap<number, number>
  stop(): Promise<void>
}

type Places = readonly [Place, ...Place[]]

/** Half of them report a contradiction, half of them attach a document; all of them change one scope. */
const WRITES: LoudWay = {
  name: '300 writes at once',
  scopes: 1,
  start: (fleet, [place]) => startSending(fleet, 300, (number) => writeOf(place, number)),
}

function writeOf({ tenantKey, scopeId }: Place, number: number): HttpRequest {
  if (number % 2 === 0)
    return {
      path: '/api/documents',
      bearer: tenantKey,
      body: { scope_id: scopeId, name: 'n', text: 'A text.' },
    }
  const body = {
    scope_id: scopeId,
    claim_a: 'It is open.',
    claim_b: 'It is closed.',
    source_a: `a ${number}`,
    source_b: `b ${number}`,
    severity: 'low',
  }
  return { path: '/api/contradictions', bearer: tenantKey, body }
}

/** 56 documents of 100,000 characters: 5.6 MB. */
const LARGE_TEXT = 'x'.repeat(100_000)
const LARGE_TEXTS = 56

/** Made once: whoever measures shares its thread with the loud tenant. */
const BATCH = Buffer.from(
  JSON.stringify({
    documents: Array.from({ length: LARGE_TEXTS }, () => ({
      scope_id: 'scope-0',
      name: 'n',
      text: LARGE_TEXT,
    })),
  }),
)

const BATCHES: LoudWay = {
  name: '60 batches of 5.6 MB at once',
  scopes: 1,
  start: (fleet, [{ tenantId, tenantKey }]) =>
    startSending(fleet, 60, () => ({
      method: 'POST',
      path: '/api/ingest/batch',
      bearer: tenantKey,
      tenantId,
      headers: { 'content-type': 'application/json' },
      timeoutMs: 30_000,
      body: BATCH,
    })),
}

const REPORTS_EACH = 40

/** The same 400 lines in each document of a scope, with other figures: each is compared with all before it. */
const HEAVY: LoudWay = {
  name: '3 scopes with 40 documents each that are heavy to compare',
  scopes: 3,
  start(fleet, places) {
    const reports = Array.from({ length: REPORTS_EACH }, (_, number) => companyReport(number))
    const requests = reports.flatMap(({ id, text }) =>
      places.map(({ scopeId, tenantKey, tenantId }) => ({
        path: '/api/ingest',
        bearer: tenantKey,
        tenantId,
        body: { scope_id: scopeId, name: id, document_id: id, text },
      })),
    )
    return startSending(fleet, requests.length, (number) => requests[number])
  },
}

const DOCUMENTS_A_BATCH = 100

/** They wait while the tenant is paused, and are let go all at once. */
export const MANY_SCOPES: LoudWay = {
  name: 'many scopes with one document each',
  scopes: 1,
  async prepare(fleet, [place], { manyScopes }) {
    await moveTenant(fleet, place, 'pause')
    const batches = Array.from({ length: Math.ceil(manyScopes / DOCUMENTS_A_BATCH) }, (_, batch) =>
      Array.from({ length: DOCUMENTS_A_BATCH }, (__, at) => ({
        scope_id: `case-${batch * DOCUMENTS_A_BATCH + at}`,
        name: 'n',
        text: `The rent of office ${at} in 2025 was EUR ${batch} m.`,
      })),
    )
    await inParallel(batches, 4, async (documents) => {
      const { accepted } = await requestJson<{ accepted: number }>(fleet.url(), {
        path: '/api/ingest/batch',
        bearer: place.tenantKey,
        body: { documents },
        timeoutMs: 60_000,
      })
      if (accepted !== documents.length)
        throw new Error(`Of ${documents.length} documents ${accepted} were accepted.`)
    })
  },
  start(fleet, [place]) {
    const answers = new Map<number, number>()
    const resumed = moveTenant(fleet, place, 'resume').then(() => answers.set(200, 1))
    return {
      answers,
      // The next measurement would wait for all of them.
      stop: async () => {
        await resumed
        await moveTenant(fleet, place, 'pause')
      },
    }
  },
}

export const WAYS: readonly LoudWay[] = [WRITES, BATCHES, HEAVY]

async function moveTenant(fleet: Fleet, { tenantKey }: Place, op: 'pause' | 'resume'): Promise<void> {
  const bearer = await createRootKey(fleet, 'internals')
  await requestJson(fleet.url(), {
    method: 'POST',
    path: `/internals/kernel/runtime/${op}`,
    bearer,
    tenantKey,
  })
}

/** Keeps this many requests at once, the next as soon as one is answered, until it is stopped or there is none left. */
function startSending(
  fleet: Fleet,
  atOnce: number,
  requestOf: (number: number) => HttpRequest | undefined,
): LoudLoad {
  const stopping = new AbortController()
  const answers = new Map<number, number>()
  let begun = 0

  async function client(): Promise<void> {
    while (!stopping.signal.aborted) {
      const request = requestOf(begun++)
      if (!request) return
      const status = await send(fleet.url(), request).then(
        (response) => response.status,
        () => 0,
      )
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }

  const clients = Array.from({ length: atOnce }, client)
  return {
    answers,
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(clients)
    },
  }
}
