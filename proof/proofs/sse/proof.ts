/** Thousands of streams lie idle on one process: each costs little, ingest does not notice, and news reaches all of them soon. */
import { setTimeout as delay } from 'node:timers/promises'
import type { DeployedApi } from '@concord/tools/launch'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { reportExits, reportSettling } from '../../harness/report.ts'
import { countLeft } from '../../harness/watch.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { insertAfter, never, rewriteValue } from '../../harness/mutation/changes.ts'
import { residentMb } from '../../harness/offspring.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { paceIngest } from './ingest-pace.ts'
import { startReaders } from './readers.ts'
import type { Arrivals, Opened, Readers } from './readers.ts'
import { percentile, sumOf } from '../../harness/statistics.ts'

const FULL = { streams: 10_000, paceMs: 20_000, rounds: 10, restMs: 5_000 }
const SHORT = { streams: 1_000, paceMs: 6_000, rounds: 4, restMs: 2_000 }
const SIZES = { api: 1, dispatcher: 1, worker: 1 }
/** Several, because nobody may have that many streams alone. */
const TENANTS = 20
/** Each document is told of as queued, processing and processed; it claims nothing, so there is nothing more to tell. */
const EVENTS_A_DOCUMENT = 3
const INGESTS_A_SECOND = 50
const WARM_STREAMS = 200
const KB_A_STREAM = 25
/**
 * With so few, V8 sees no reason to collect what opening left behind, which is about as much again: 17 KB a stream where the
 * heap is limited, 34 to 37 where it is not.
 */
const SHORT_KB_A_STREAM = 45
const FAN_OUT_MS = 1_000
const INGEST_FACTOR = 1.5
/** The time that a timer and a busy processor may add to an answer of a few milliseconds, whoever is connected. */
const INGEST_ALLOWANCE_MS = 5
const ARRIVAL_PATIENCE_MS = 20_000
const SETTLE_MS = 60_000

/** Each for another figure to notice. */
export const STREAMS_ON_THEIR_OWN: readonly Mutation[] = [
  {
    name: 'every stream keeps a buffer of its own',
    at: 'events.stream.open',
    change: insertAfter('own: Buffer.alloc(64 * 1024, 1)'),
  },
  {
    name: 'every stream looks for news in the database by itself',
    at: ['events.follow.nothing-new', 'events.follow.from-memory'],
    change: never,
  },
  {
    name: 'every stream waits by the clock',
    at: 'events.follow.wait',
    change: rewriteValue(() => 'await new Promise((go) => setTimeout(go, 1_000))'),
  },
]

type Run = ProofRun<typeof FULL>

export const sse = defineProof({
  name: 'sse',
  shows:
    'thousands of idle event streams cost one process little, and news reaches all of them within a second',
  sabotages: 'every stream keeps a buffer of its own and looks for news in the database by itself',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT },
  mutations: STREAMS_ON_THEIR_OWN,
  prove,
})

async function prove(run: Run): Promise<void> {
  await withFaultStage(run, { silent: true, sizes: SIZES }, async (stage) => {
    const followed = await createPlaces(stage.fleet, { tenants: TENANTS, scopes: 1 })
    await warmUp(stage, followed)
    const readers = startReaders()
    try {
      await proveReaders(run, stage, followed, readers)
    } finally {
      await readers.close()
    }
    reportExits(run, stage.fleet)
  })
}

async function proveReaders(
  run: Run,
  stage: FaultStage,
  followed: readonly Place[],
  readers: Readers,
): Promise<void> {
  const { size } = run
  const api = apiOf(stage)
  const pace = { ...stage, perSecond: INGESTS_A_SECOND, forMs: size.paceMs }
  const without = await paceIngest(pace)
  await countLeft(stage.fleet.ask, SETTLE_MS)
  await delay(size.restMs)
  const beforeMb = residentMb(api.pid)
  const opened = await readers.open({ url: api.url, places: followed, streams: size.streams })
  await delay(size.restMs)
  reportMemory(run, opened, beforeMb, residentMb(api.pid))
  const beside = await paceIngest(pace)
  await countLeft(stage.fleet.ask, SETTLE_MS)
  reportIngest(run, without, beside)
  reportFanOut(run, await fanOut(stage, followed, readers, size.rounds))
  await reportSettling(run, stage, SETTLE_MS)
}

/** Loading and learning with the first requests and streams of a process is not the cost of the later ones. */
async function warmUp(stage: FaultStage, places: readonly Place[]): Promise<void> {
  const readers = startReaders()
  try {
    await readers.open({ url: apiOf(stage).url, places, streams: WARM_STREAMS })
    await paceIngest({ ...stage, perSecond: 4 * INGESTS_A_SECOND, forMs: 3_000 })
    await fanOut(stage, places, readers, 2)
  } finally {
    await readers.close()
  }
}

function apiOf({ fleet }: FaultStage): DeployedApi {
  const [child] = fleet.members('api').map((member) => member.process())
  if (!child || !('url' in child)) throw new Error('The API is not there.')
  return child
}

/** A document into every followed scope at once, and waiting until each reader has seen all that became of it. */
async function fanOut(
  { history, sender }: FaultStage,
  followed: readonly Place[],
  readers: Readers,
  rounds: number,
): Promise<Arrivals[]> {
  const arrivals: Arrivals[] = []
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(followed.map((place) => sender.deliver([history.open(place)])))
    arrivals.push(await readers.arrivals(EVENTS_A_DOCUMENT, ARRIVAL_PATIENCE_MS))
  }
  return arrivals
}

function reportMemory(run: Run, opened: Opened, beforeMb: number, afterMb: number): void {
  const { figures, print, short, size } = run
  const { streams } = size
  figures.atLeast('streams open on one process', opened.established, streams)
  for (const refusal of opened.refusals.slice(0, 5)) print(`  ${refusal}`)
  figures.note('seconds until the last was open', opened.seconds)
  figures.note('memory of the API before', beforeMb, ' MB')
  const kilobytes = short ? SHORT_KB_A_STREAM : KB_A_STREAM
  figures.atMost('memory a stream', ((afterMb - beforeMb) * 1024) / streams, kilobytes, ' KB')
}

function reportIngest({ figures }: Run, without: readonly number[], beside: readonly number[]): void {
  const baseline = percentile(without, 0.99)
  figures.note('answer to an ingest without streams, p50', percentile(without, 0.5), ' ms')
  figures.note('answer to an ingest without streams, p99', baseline, ' ms')
  figures.note('answer to an ingest beside idle streams, p50', percentile(beside, 0.5), ' ms')
  const bound = INGEST_FACTOR * baseline + INGEST_ALLOWANCE_MS
  figures.atMost('answer to an ingest beside idle streams, p99', percentile(beside, 0.99), bound, ' ms')
}

function reportFanOut({ figures, size }: Run, rounds: readonly Arrivals[]): void {
  const { streams } = size
  const all = sumOf(rounds, ({ events }) => events)
  const wrong = sumOf(rounds, (round) => round.wrong)
  const longest = (name: 'p50' | 'p99' | 'longest') => Math.max(...rounds.map((round) => round[name]))
  figures.exactly('events that reached a reader', all, streams * EVENTS_A_DOCUMENT * rounds.length)
  figures.exactly('readers that missed an event of a round, or saw one twice', wrong, 0)
  figures.exactly('streams that were closed', rounds.at(-1)?.lost ?? streams, 0)
  figures.note('event to reader, p50 of a round, longest', longest('p50'), ' ms')
  figures.note('event to reader, longest of all', longest('longest'), ' ms')
  figures.atMost('event to reader, p99 of a round, longest', longest('p99'), FAN_OUT_MS, ' ms')
}
