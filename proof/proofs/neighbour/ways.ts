/** Other ways to be loud than by many documents: each sends without end, as many requests at once as it says, from one tenant. */
import { send } from '../../harness/http.ts'
import type { HttpRequest } from '../../harness/http.ts'
import type { Place } from '../../harness/places.ts'

export interface LoudWay {
  readonly name: string
  readonly atOnce: number
  /** What it sends next, by a number that counts up. */
  readonly requestOf: (place: Place, number: number) => HttpRequest
}

/** Half of them report a contradiction, half of them attach a document; all of them change one scope. */
const WRITES: LoudWay = {
  name: '300 writes at once',
  atOnce: 300,
  requestOf: ({ tenantKey, scopeId }, number) =>
    number % 2 === 0
      ? { path: '/api/documents', bearer: tenantKey, body: { scope_id: scopeId, name: 'n', text: 'A text.' } }
      : {
          path: '/api/contradictions',
          bearer: tenantKey,
          body: {
            scope_id: scopeId,
            claim_a: 'It is open.',
            claim_b: 'It is closed.',
            source_a: `a ${number}`,
            source_b: `b ${number}`,
            severity: 'low',
          },
        },
}

/** 56 documents of 100,000 characters: 5.6 MB. */
const LARGE_TEXT = 'x'.repeat(100_000)
const DOCUMENTS = 56

/** Made once: whoever measures shares its thread with the loud tenant. */
const BATCH = Buffer.from(
  JSON.stringify({
    documents: Array.from({ length: DOCUMENTS }, () => ({
      scope_id: 'scope-0',
      name: 'n',
      text: LARGE_TEXT,
    })),
  }),
)

const BATCHES: LoudWay = {
  name: '60 batches of 5.6 MB at once',
  atOnce: 60,
  requestOf: ({ tenantId, tenantKey }) => ({
    method: 'POST',
    path: '/api/ingest/batch',
    bearer: tenantKey,
    tenantId,
    headers: { 'content-type': 'application/json' },
    timeoutMs: 30_000,
    body: BATCH,
  }),
}

export const WAYS: readonly LoudWay[] = [WRITES, BATCHES]

/** Sends until it is stopped; counts answers by their status, and those without one as 0. */
export function startWay({ atOnce, requestOf }: LoudWay, url: string, place: Place) {
  const stopping = new AbortController()
  const answers = new Map<number, number>()
  let begun = 0

  async function client(): Promise<void> {
    while (!stopping.signal.aborted) {
      begun += 1
      const status = await send(url, requestOf(place, begun)).then(
        (response) => response.status,
        () => 0,
      )
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }

  const clients = Array.from({ length: atOnce }, client)
  return {
    answers: answers as ReadonlyMap<number, number>,
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(clients)
    },
  }
}
