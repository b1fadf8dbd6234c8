/** Sends the same request many times at once: one key is one document and one answer, whoever goes away meanwhile. */
import { waitUntil } from '@concord/tools/launch'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { createPlaces } from '../../harness/places.ts'
import { createRepetition } from './repetition.ts'
import type { Repetition, RepetitionTally } from './repetition.ts'
import { reportExits } from '../../harness/report.ts'
import { seededRandom } from '../../harness/statistics.ts'
import { always } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

const FULL = { keys: 200, requests: 50 }
const SHORT = { keys: 40, requests: 25 }
const KEYS_AT_ONCE = 8
/** A small machine on which everything runs at once would shed load now and then, which is no answer to a key. */
const ENV = { SHED_LATE_MS: '0' }

export const KEY_NOT_RECORDED: Mutation = {
  name: 'the idempotency key is not recorded',
  at: 'ingest.idempotency-key',
  change: always,
}

type Run = ProofRun<typeof FULL>

export const idempotency = defineProof({
  name: 'idempotency',
  shows:
    'one idempotency key is one document and one answer, over all APIs, aborted clients and a killed API',
  sabotages: 'the idempotency key is not recorded',
  sizes: { full: FULL, short: SHORT },
  mutations: [KEY_NOT_RECORDED],
  prove,
})

async function prove(run: Run): Promise<void> {
  const { size, seed } = run
  await withFleet(run, { sizes: { api: 2, dispatcher: 0, worker: 0 }, env: ENV }, async (fleet) => {
    const [place, elsewhere] = await createPlaces(fleet, { tenants: 1, scopes: 2 })
    if (!elsewhere) throw new Error('The key needs another scope to be used in.')
    const random = seededRandom(seed)
    const { requests } = size
    const repetition = createRepetition({ place, elsewhere, urls: fleet.urls, random, requests })
    const hit = await repeatKeys(repetition, fleet, size.keys)
    repetition.close()
    await report(run, fleet, repetition.tally, hit)
  })
}

/** Returns how many requests were under way when the API was killed. */
async function repeatKeys(repetition: Repetition, fleet: Fleet, keys: number): Promise<number> {
  let hit = 0
  await inParallel(Array.from({ length: keys }), KEYS_AT_ONCE, async (_, key) => {
    const running = repetition.run(`key-${key}`)
    if (key === Math.floor(keys / 2)) hit = await killBusyApi(repetition, fleet)
    await running
  })
  return hit
}

async function killBusyApi({ underWay }: Repetition, fleet: Fleet): Promise<number> {
  const [victim] = fleet.members('api')
  const hit = await waitUntil(() => underWay() > 0 && victim?.process() && underWay(), {
    what: 'requests being under way',
    everyMs: 1,
  })
  await victim?.kill()
  return hit
}

async function report(run: Run, fleet: Fleet, tally: RepetitionTally, hit: number): Promise<void> {
  const { figures } = run
  const { keys, requests } = run.size
  const stored = await countStored(fleet)
  figures.exactly('identical requests', tally.sent, keys * requests)
  figures.atLeast('clients that went away before the answer', tally.aborted, (keys * requests) / 10)
  figures.atLeast('requests under way when an API was killed', hit, 1)
  figures.note('answers that were cut off and asked for again', tally.cutOff)
  figures.note('answers', tally.answered)
  figures.exactly('documents', stored.documents, keys)
  figures.exactly('times a document was queued', stored.queued, keys)
  figures.exactly('keys recorded', stored.keys, keys)
  figures.exactly('different answers to one key, beyond the first', tally.surplusAnswers, 0)
  figures.exactly('keys that were called new more than once', tally.twiceNew, 0)
  // A client that could not be served was told so, and asked again: of pace, unlike a wrong answer.
  figures.atMost('answers 5xx', tally.serverFaults, 0)
  figures.atLeast('requests that misused a key', tally.changedSent, keys)
  figures.none('misuses not refused with 422', tally.changedNotRefused)
  reportExits(run, fleet)
}

async function countStored({ ask }: Fleet) {
  const [row] = await ask<{ documents: number; queued: number; keys: number }>(
    `select (select count(*) from documents)::int as documents,
            (select count(*) from scope_log where kind = 'document.queued')::int as queued,
            (select count(*) from idempotency_keys)::int as keys`,
  )
  return row ?? { documents: 0, queued: 0, keys: 0 }
}
