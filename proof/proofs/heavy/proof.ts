/**
 * Documents that are as heavy to compare as the API accepts: each ends at its first attempt, and somebody else's small documents hardly
 * wait for them. Three scopes of one tenant get reports of 400 lines, and other tenants get documents whose claims share no group.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { send as request } from '../../harness/http.ts'
import { pause, poll } from '../../harness/loop.ts'
import { rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { post } from '../../harness/post.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { reportExits } from '../../harness/report.ts'
import { countOpen } from '../../harness/watch.ts'
import { companyReport, smallNote, widestTable } from '../../harness/heavy-texts.ts'
import type { HeavyDocument } from '../../harness/heavy-texts.ts'
import { mainThreadMs } from './main-thread.ts'
import { describeWaits, judgeEnds, judgeWaits, readEnds } from './waits.ts'

const FULL = { reports: 40, tables: 200, warmMs: 5_000, aloneMs: 30_000, withinMs: 1_800_000 }
const SHORT = { reports: 4, tables: 12, warmMs: 1_000, aloneMs: 6_000, withinMs: 30_000 }
const SABOTAGED = { withinMs: 20_000 }
const SIZES = { api: 1, dispatcher: 1, worker: 1 }
/** The number of readers that a worker has unless told otherwise. */
const SETTINGS = { READERS: '2' }
const NOTE_EVERY_MS = 250
/** Each has a scope of its own with a third of the tables. */
const TABLE_TENANTS = 3
const REPORT_SCOPES = 3
const ROUND_MS = 1_000
/** Decoding, hashing and sealing 400 claims takes some fifty, and the small documents are in it as well; comparing takes hundreds. */
const MAX_MAIN_THREAD_MS = 100

/** Comparisons are made where they were before: on the main thread, while the transaction holds the scope. */
export const COMPARED_IN_TRANSACTION: readonly Mutation[] = [
  {
    name: 'no document is heavy in advance',
    at: 'comparison.heavy',
    change: rewriteValue(() => 'false'),
  },
  {
    name: 'a transaction computes for as long as it takes',
    at: 'comparison.max-work',
    change: rewriteValue(() => 'Infinity'),
  },
]

type Run = ProofRun<typeof FULL>

export const heavy = defineProof({
  name: 'heavy',
  shows: 'documents that are much to compare end at their first attempt, and others hardly wait for them',
  sabotages: 'comparisons are made on the main thread of the worker, in the transaction that holds the scope',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT, sabotaged: SABOTAGED },
  mutations: COMPARED_IN_TRANSACTION,
  prove: (run) => withFleet(run, { sizes: SIZES, env: SETTINGS }, (fleet) => prove(run, fleet)),
})

async function prove(run: Run, fleet: Fleet): Promise<void> {
  const { figures, size } = run
  const { light, scopes, tenants } = await createStage(fleet)
  const notes = startNotes(fleet, light)
  await delay(size.warmMs)
  const aloneFrom = Date.now()
  await delay(size.aloneMs)
  const aloneUntil = Date.now()
  await warmUp(fleet, tenants)
  const [besideFrom, usedBefore] = [Date.now(), mainThreadMs(fleet)]
  await sendHeavy(fleet, size, scopes, tenants)
  const left = await untilEnded(fleet, size.withinMs)
  const [besideUntil, usedAfter] = [Date.now(), mainThreadMs(fleet)]
  await notes.stop()
  await poll(() => countOpen(fleet, 'note-'), { until: (open) => open === 0, withinMs: 10_000 })
  figures.note('seconds until the last heavy document was at its end', (besideUntil - besideFrom) / 1000)
  figures.exactly(`heavy documents not at their end after ${size.withinMs / 1000} s`, left, 0)
  const ends = await readEnds(fleet)
  const heavyEnds = ends.filter(
    ({ tenantId, queuedAt }) => tenantId !== light.tenantId && queuedAt >= besideFrom,
  )
  const { unfinished, repeated } = judgeEnds(heavyEnds)
  figures.none('heavy documents that were not processed', unfinished)
  figures.none('heavy documents that took more than one attempt', repeated)
  const usedMs = (usedAfter - usedBefore) / heavyEnds.length
  figures.atMost(
    'processor time of the main thread for each heavy document',
    usedMs,
    MAX_MAIN_THREAD_MS,
    ' ms',
  )
  const waitsIn = (from: number, until: number) =>
    ends
      .filter(({ tenantId, queuedAt }) => tenantId === light.tenantId && queuedAt >= from && queuedAt < until)
      .map(({ waitMs }) => waitMs ?? Infinity)
  reportWaits(run, waitsIn(aloneFrom, aloneUntil), waitsIn(besideFrom, besideUntil))
  await reportRemoval(run, fleet, tenants[0])
  reportExits(run, fleet)
}

/** The first heavy documents wait for code to be compiled and for a thread to start. They go to scopes of their own. */
async function warmUp(fleet: Fleet, tenants: readonly Place[]): Promise<void> {
  const scopes = tenants.map((place) => ({ ...place, scopeId: `scope-${REPORT_SCOPES - 1}` }))
  const documents = Array.from({ length: 2 }, (_, number) => [companyReport(number), widestTable(number)])
  await post(
    fleet.url(),
    scopes.slice(0, 1),
    documents.flat().map(({ id, text }) => ({ id: `warm-${id}`, text })),
  )
  await poll(() => countOpen(fleet, 'warm-'), { until: (open) => open === 0, withinMs: 20_000 })
}

/** By the clock, whatever became of the one before. */
function startNotes(fleet: Fleet, place: Place) {
  const stopping = new AbortController()
  const sent: Promise<unknown>[] = []
  async function run(): Promise<void> {
    const started = performance.now()
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      sent.push(post(fleet.url(), [place], [smallNote(number)]))
      await pause(started + (number + 1) * NOTE_EVERY_MS - performance.now(), stopping.signal)
    }
  }
  const running = run()
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await running
      await Promise.all(sent)
    },
  }
}

/** A tenant with small documents, the scopes of one with reports, and a scope of each tenant with tables. */
async function createStage(fleet: Fleet) {
  const places = await createPlaces(fleet, { tenants: 2 + TABLE_TENANTS, scopes: REPORT_SCOPES })
  const [light, reporting, ...tabular] = Map.groupBy(places, ({ tenantId }) => tenantId).values()
  const tenants = tabular.flatMap(([first]) => first ?? [])
  if (!light?.[0] || !reporting) throw new Error('Two tenants are missing.')
  return { light: light[0], scopes: reporting, tenants }
}

/** In rounds of one document a scope, faster than they can be compared; a pile of long texts at once would measure how they are read. */
async function sendHeavy(
  fleet: Fleet,
  { reports, tables }: Run['size'],
  scopes: readonly Place[],
  tenants: readonly Place[],
): Promise<void> {
  const share = Math.ceil(tables / TABLE_TENANTS)
  for (let number = 0; number < Math.max(reports, share); number += 1) {
    const sent = [
      ...(number < reports ? scopes.map((place) => send(place, companyReport(number))) : []),
      ...(number < share ? tenants.map((place) => send(place, widestTable(number))) : []),
    ]
    await Promise.all([...sent, delay(ROUND_MS)])
  }
  async function send(place: Place, document: HeavyDocument): Promise<void> {
    await post(fleet.url(), [place], [document])
  }
}

async function untilEnded(fleet: Fleet, withinMs: number): Promise<number> {
  const countHeavy = async () => (await countOpen(fleet, 'report-')) + (await countOpen(fleet, 'table-'))
  return poll(countHeavy, { until: (open) => open === 0, withinMs, everyMs: 250 })
}

function reportWaits({ figures, short }: Run, alone: readonly number[], beside: readonly number[]): void {
  figures.atLeast('small documents beside the heavy ones', beside.length, 20)
  figures.note('wait of the small documents alone, p50 / p90 / p99 / most', describeWaits(alone))
  figures.note('wait of the small documents beside, p50 / p90 / p99 / most', describeWaits(beside))
  // In a few dozen documents the 99th percentile is the slowest one, which says more about the machine.
  const share = short ? 0.5 : 0.99
  const { measured, bound } = judgeWaits(alone, beside, share)
  figures.atMost(`wait of the small documents beside the heavy ones, p${100 * share}`, measured, bound, ' ms')
}

async function reportRemoval({ figures }: Run, fleet: Fleet, place: Place | undefined): Promise<void> {
  if (!place) return
  const path = `/api/scopes/${place.scopeId}/documents/table-0`
  const { status, ms } = await request(fleet.url(), { method: 'DELETE', path, bearer: place.tenantKey })
  figures.exactly('status of the removal of a heavy document', status, 200)
  figures.note('milliseconds that it took', ms)
}
