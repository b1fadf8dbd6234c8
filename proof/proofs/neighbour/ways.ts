/** Other ways to be loud than by many documents, each of one tenant. */
import { createRootKey } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { requestJson } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { startLoudThread } from './loud-thread.ts'
import type { LoudLoad, Places } from './loud-thread.ts'

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

const WRITES: LoudWay = {
  name: '300 writes at once',
  scopes: 1,
  start: (fleet, places) => startLoudThread({ url: fleet.url(), kind: 'writes', places }),
}

const BATCHES: LoudWay = {
  name: '60 batches of 5.6 MB at once',
  scopes: 1,
  start: (fleet, places) => startLoudThread({ url: fleet.url(), kind: 'batches', places }),
}

const HEAVY: LoudWay = {
  name: '3 scopes with 40 documents each that are heavy to compare',
  scopes: 3,
  start: (fleet, places) => startLoudThread({ url: fleet.url(), kind: 'heavy', places }),
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
    const resumed = moveTenant(fleet, place, 'resume')
    return {
      // The next measurement would wait for all of them.
      async stop() {
        await resumed
        await moveTenant(fleet, place, 'pause')
        return new Map([[200, 1]])
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
