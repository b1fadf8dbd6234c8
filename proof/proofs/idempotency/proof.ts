/** Sends the same request many times at once: one key is one document and one answer, whoever goes away meanwhile. */
import { waitUntil } from '@concord/tools/launch'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { createPlaces } from '../../harness/places.ts'
import { createRepetition } from './repetition.ts'
import type { Repetition, RepetitionTally } from './repetition.ts'
import { askDatabase } from '../../harness/watch.ts'
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
    if (!place || !elsewhere) throw new Error('The places could not be made.')
    const random = seededRandom(seed)
    const repetition = createRepetition({
      place,
      elsewhere,
      urls: fleet.urls,
      random,
      requests: size.requests,
    })
    const hit = await repeatKeys(repetition, fleet, size.keys)
    repetition.close()
    await report(run, fleet, repetition.tally, hit)
  })
}

/** Returns how many requests were under way when the API was killed. */
async function repeatKeys(repetition: Repetition, fleet: Fleet, keys: number): Promise<number> {
  let next = 0
  let hit = 0
  const work = async () => {
    for (let key = next++; key < keys; key = next++) {
      const running = repetition.run(`key-${key}`)
      if (key === Math.floor(keys / 2)) hit = await killBusyApi(repetition, fleet)
      await running
    }
  }
  await Promise.all(Array.from({ length: KEYS_AT_ONCE }, work))
  return hit
}

async function killBusyApi({ tally }: Repetition, fleet: Fleet): Promise<number> {
  const [victim] = fleet.members('api')
  const hit = await waitUntil(() => tally.underWay > 0 && victim?.process() && tally.underWay, {
    what: 'requests being under way',
    everyMs: 1,
  })
  await victim?.kill()
  return hit
}

async function report(run: Run, fleet: Fleet, tally: RepetitionTally, hit: number): Promise<void> {
  const { figures, print, size } = run
  const { keys, requests } = size
  const stored = await countStored(run, fleet)
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
  // Whoever could not be served was told so, and asked again: of pace, unlike a wrong answer.
  figures.atMost('answers 5xx', tally.serverFaults, 0)
  figures.atLeast('requests that misused a key', tally.changedSent, keys)
  figures.exactly('misuses not refused with 422', tally.changedNotRefused.length, 0)
  for (const line of tally.changedNotRefused.slice(0, 5)) print(`  ${line}`)
  figures.exactly('exits of processes that were not killed', fleet.unaskedExits.length, 0)
  for (const line of fleet.unaskedExits) print(`  ${line}`)
}

async function countStored({ services }: Run, { deployment }: Fleet) {
  const [row] = await askDatabase<{ documents: number; queued: number; keys: number }>(
    services,
    deployment.databaseName,
    `select (select count(*) from documents)::int as documents,
            (select count(*) from scope_log where kind = 'document.queued')::int as queued,
            (select count(*) from idempotency_keys)::int as keys`,
  )
  return row ?? { documents: 0, queued: 0, keys: 0 }
}
