/** Readers come and go while many write: each sees every event once, in order, and one that never reads costs little. */
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@concord/tools/launch'
import { startLoad } from '../../harness/load.ts'
import { createRootKey } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { reportSettling } from '../../harness/report.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { addUp, differenceOf } from '../../harness/streams/account.ts'
import type { LogLine } from '../../harness/streams/account.ts'
import { openLogbook } from '../../harness/streams/expected.ts'
import type { Logbook } from '../../harness/streams/expected.ts'
import { measureNeverReaders } from './never-readers.ts'
import { startReader } from '../../harness/streams/reader.ts'
import type { StreamReader } from '../../harness/streams/reader.ts'
import { sumOf } from '../../harness/statistics.ts'
import { STREAM_SABOTAGES } from './sabotage.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

const FULL = {
  readers: 50,
  operators: 2,
  events: 100_000,
  waiting: 1_000,
  settleMs: 300_000,
  stalledMs: 25_000,
}
const SHORT = { readers: 12, operators: 2, events: 2_000, waiting: 100, settleMs: 60_000, stalledMs: 15_000 }
const WRITERS = { clients: 24, batchers: 8 }
const NEVER_READERS = 2
const LONG_LOG = 200_000
const MEMORY_MB = 64
/** Longer than a reader stays away, and than a look at all heads. */
const STUCK_MS = 6_000

type Run = ProofRun<typeof FULL>

export const streams = defineProof({
  name: 'streams',
  shows: 'a reader of events misses none, gets none twice and none out of order, however often it goes away',
  sabotages:
    'positions move past what was not read, commits that come late are passed over, slow readers are written to',
  sizes: { full: FULL, short: SHORT },
  mutations: STREAM_SABOTAGES,
  prove,
})

async function prove(run: Run): Promise<void> {
  await withFaultStage(run, { sizes: { api: 2, dispatcher: 1, worker: 2 } }, async (stage) => {
    const logbook = openLogbook(stage.fleet)
    const [followed, quiet = followed, , filled = followed] = stage.places
    await logbook.fill(filled, LONG_LOG)
    await proveComplete(run, stage, logbook, { followed, quiet })
    await proveFrugal(run, stage, filled)
  })
}

interface Scenery {
  /** The scope that all readers follow. */
  readonly followed: Place
  /** Another one that is written to, so that commits of several scopes cross. */
  readonly quiet: Place
}

async function proveComplete(
  run: Run,
  stage: FaultStage,
  logbook: Logbook,
  { followed, quiet }: Scenery,
): Promise<void> {
  const { size } = run
  await logbook.delayCommits()
  const beginning = await logbook.lastOfAll()
  const readers = await startReaders(stage, followed, size.readers)
  const operators = await startOperators(stage, beginning, size.operators)
  const started = performance.now()
  await write(run, stage, logbook, [...Array.from({ length: 7 }, () => followed), quiet])
  const expected = await logbook.ofScope(followed, 0)
  const all = await logbook.ofAll(beginning)
  await untilThere(readers, expected)
  await untilThere(operators, all)
  run.figures.note('events a second', all.length / ((performance.now() - started) / 1000))
  await Promise.all([...readers, ...operators].map((reader) => reader.stop()))
  run.figures.atLeast('events in the followed scope', expected.length, size.events)
  report(run, 'readers of the scope', readers, expected)
  report(run, 'readers of all scopes', operators, all)
}

/** Every fifth as an administrator, the others as the tenant. */
async function startReaders(stage: FaultStage, place: Place, count: number): Promise<StreamReader[]> {
  const admin = await createRootKey(stage.fleet, 'admin')
  return Array.from({ length: count }, (_, at) => {
    const asAdmin = at % 5 === 0
    return startReader({
      urls: stage.fleet.urls,
      random: stage.random,
      path: `/${asAdmin ? 'admin' : 'api'}/scopes/${place.scopeId}/events`,
      ...(asAdmin ? { bearer: admin, tenantKey: place.tenantKey } : { bearer: place.tenantKey }),
      after: '0',
    })
  })
}

async function startOperators(stage: FaultStage, after: number, count: number): Promise<StreamReader[]> {
  const bearer = await createRootKey(stage.fleet, 'internals')
  return Array.from({ length: count }, () =>
    startReader({
      urls: stage.fleet.urls,
      random: stage.random,
      path: '/internals/kernel/events',
      bearer,
      after: `${after}.ffffffff-ffff-ffff-ffff-ffffffffffff.0.`,
      ofAll: true,
    }),
  )
}

/** Until the log is long enough, and everything that was sent is at its end: then nothing more is written. */
async function write(run: Run, stage: FaultStage, logbook: Logbook, places: readonly Place[]): Promise<void> {
  const { events, waiting, settleMs } = run.size
  const [followed] = places
  const isFull = () => stage.watch.latest().queued > waiting
  const load = startLoad({ ...stage, places, rate: 2_000, ...WRITERS, isFull })
  // A document that has been accepted makes at least three events each; the database is asked only when that is near.
  await waitUntil(
    async () =>
      stage.history.acknowledged() * 2 > events &&
      followed !== undefined &&
      (await logbook.ofScope(followed, events - 1)).length > 0,
    { what: `${events} events`, withinMs: 30 * 60_000, everyMs: 300 },
  )
  await load.finish(60_000)
  await reportSettling(run, stage, settleMs)
}

/** Until the readers are at the end, or none of them moves any more: one that skipped events may never get there. */
async function untilThere(readers: readonly StreamReader[], expected: readonly LogLine[]): Promise<void> {
  let received = -1
  let movedAt = performance.now()
  const whole = expected.length * readers.length
  while (received < whole && performance.now() - movedAt < STUCK_MS) {
    const now = countReceived(readers)
    if (now !== received) movedAt = performance.now()
    received = now
    await delay(50)
  }
}

function countReceived(readers: readonly StreamReader[]): number {
  return sumOf(readers, ({ account }) => account.ids.length)
}

function report(
  { figures }: ProofRun,
  who: string,
  readers: readonly StreamReader[],
  expected: readonly LogLine[],
): void {
  const total = addUp(readers.map(({ account }) => differenceOf(expected, account)))
  const disconnects = sumOf(readers, ({ tally }) => tally.disconnects)
  figures.note(`${who}, events received`, countReceived(readers))
  figures.atLeast(`${who}, times they went away`, disconnects, readers.length * 3)
  figures.exactly(`${who}, missing`, total.missing, 0)
  figures.exactly(`${who}, duplicate`, total.duplicate, 0)
  figures.exactly(`${who}, out of order`, total.disordered, 0)
  figures.exactly(`${who}, not in the database`, total.strange, 0)
  figures.exactly(`${who}, readers told something else`, total.altered, 0)
  const resyncs = sumOf(readers, ({ tally }) => tally.resyncs)
  figures.exactly(`${who}, resyncs`, resyncs, 0)
  // An API that is short of connections may ask to come again later, as any of its answers may.
  const refusals = readers.flatMap(({ tally }) => tally.refusals)
  const wrong = refusals.filter((refusal) => !refusal.endsWith('503'))
  figures.note(`${who}, asked to come again later`, refusals.length - wrong.length)
  figures.none(`${who}, refused otherwise`, wrong)
}

/** In an API of its own, so that nothing else moves its memory. */
async function proveFrugal({ figures, size }: Run, { fleet }: FaultStage, filled: Place): Promise<void> {
  const api = await fleet.deployment.startApi({ LOG_LEVEL: 'warn' })
  const { beforeMb, grownMb, admitted } = await measureNeverReaders({
    api,
    place: filled,
    readers: NEVER_READERS,
    forMs: size.stalledMs,
    enoughMb: 2 * MEMORY_MB,
  })
  figures.exactly('readers that never read', admitted, NEVER_READERS)
  figures.note('events waiting for each of them', LONG_LOG)
  figures.note('memory of the API before', beforeMb, ' MB')
  figures.atMost('memory that they cost in all', grownMb, MEMORY_MB, ' MB')
  await api.stop(2_000)
}
