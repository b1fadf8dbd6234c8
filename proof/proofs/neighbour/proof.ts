/** One tenant heaps up work and goes on sending: the others hardly notice, and it still gets nearly all that they leave. */
import { setTimeout as delay } from 'node:timers/promises'
import { poll } from '../../harness/loop.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { reportExits } from '../../harness/report.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { drop, never, rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { proveWay } from './beside-way.ts'
import { readDwells, readRates, untilOthersEnded } from './dwell.ts'
import type { Dwell, DwellSpan } from './dwell.ts'
import { startLoudTenant, startQuietTenants } from './sending.ts'
import type { QuietDocument } from './sending.ts'
import { MANY_SCOPES, WAYS } from './ways.ts'
import type { LoudWay } from './ways.ts'
import { ANSWER_FACTOR, judgeSlowdown, LEAST_SHARE, shareOfTheRest, WAIT_FACTOR } from './verdict.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { percentile } from '../../harness/statistics.ts'

const FULL = {
  heap: 50_000,
  warmMs: 5_000,
  baselineMs: 30_000,
  floodMs: 35_000,
  aloneMs: 10_000,
  wayMs: 20_000,
  manyScopes: 100_000,
  fewest: 500,
}
const SHORT = {
  heap: 6_000,
  warmMs: 2_000,
  baselineMs: 12_000,
  floodMs: 12_000,
  aloneMs: 5_000,
  wayMs: 8_000,
  manyScopes: 3_000,
  fewest: 200,
}
const SETTLE_MS = 120_000
const SIZES = { api: 1, dispatcher: 1, worker: 1 }
const SETTINGS = { SCOPE_AUTO_CREATE: 'true', READERS: '2' }
/** Five documents a second of each quiet tenant. */
const QUIET_EVERY_MS = 200
/** Ten times as many of the loud one, on top of its heap. */
const LOUD = { batchesPerSecond: 10, batch: 5 }

/** More than the window holds, or a place in it would be free for anybody. */
const LEAST_WAITING = 1_000

/** First come, first served: whoever comes after the heap waits for the whole of it. */
const FIRST_COME_FIRST_SERVED: Mutation = {
  name: 'work is released in the order of its arrival, whoever it belongs to',
  at: 'dispatch.order',
  change: drop,
}

/** Nor is there a way past it: with room kept for who has little, the order alone would do little harm. */
const NO_PRIORITY_QUEUE: Mutation = {
  name: 'there is no priority queue',
  at: 'dispatch.priority-limit',
  change: rewriteValue(() => '0'),
}

/** The first to come has the connection, whatever it already holds. */
const NO_SHARE_OF_CONNECTIONS: Mutation = {
  name: 'connections of the API are taken first come, first served',
  at: 'connections.turn',
  change: rewriteValue(() => 'await Promise.resolve(undefined as (() => void) | undefined)'),
}

const NO_BYTE_BUDGET: Mutation = {
  name: 'bodies are read however many there are',
  at: 'http.bytes-in-flight',
  change: never,
}

export const NEIGHBOUR_SABOTAGES: readonly Mutation[] = [
  FIRST_COME_FIRST_SERVED,
  NO_PRIORITY_QUEUE,
  NO_SHARE_OF_CONNECTIONS,
  NO_BYTE_BUDGET,
]

type Run = ProofRun<typeof FULL>

export const neighbour = defineProof({
  name: 'neighbour',
  shows:
    'a tenant that is loud in one of several ways hardly slows the others, and gets nearly all that they leave',
  sabotages:
    'work, connections and memory are given first come, first served, and there is no priority queue',
  measuresPace: true,
  byHand: 'some of its p99 bounds are not reached on two cores (docs/explanation/guarantees.md)',
  sizes: { full: FULL, short: SHORT },
  mutations: NEIGHBOUR_SABOTAGES,
  prove,
})

async function prove(run: Run): Promise<void> {
  await withFaultStage(run, { sizes: SIZES, env: SETTINGS }, async (stage) => {
    const { fleet } = stage
    await proveWays(run, stage, WAYS)
    await untilNothingIsLeft(fleet)
    const loud = await createPlaces(fleet, { tenants: 1, scopes: 2 })
    const [{ tenantId }] = loud
    const flood = await floodBeside(run, stage, loud)
    // The rest of the heap says nothing more.
    const left = await untilOthersEnded(fleet, tenantId, SETTLE_MS)
    run.figures.atMost(`documents of the quiet tenants not at their end after ${SETTLE_MS / 1000} s`, left, 0)
    await reportQuiet(run, stage, tenantId, flood)
    await reportLoud(run, stage, tenantId, flood)
    // The last one: what it leaves behind takes minutes.
    await proveWays(run, stage, [MANY_SCOPES])
    reportExits(run, fleet)
  })
}

/** One after the other, each when nothing is left of the one before. */
async function proveWays(run: Run, stage: FaultStage, ways: readonly LoudWay[]): Promise<void> {
  const { fleet } = stage
  const quiet = onePerTenant(stage.places)
  for (const way of ways) {
    await untilNothingIsLeft(fleet)
    await proveWay(run, stage, way, { quiet, everyMs: QUIET_EVERY_MS })
  }
}

async function untilNothingIsLeft({ count }: Fleet): Promise<void> {
  const countWork = () => count('select count(*) from work')
  await poll(countWork, { until: (left) => left === 0, withinMs: SETTLE_MS, everyMs: 250 })
}

interface Flood {
  /** The quiet tenants alone. */
  readonly baseline: DwellSpan
  /** From the first document of the loud tenant on. */
  readonly beside: DwellSpan
  /** Within it, once the heap was there. */
  readonly heaped: DwellSpan
  /** The loud tenant alone. */
  readonly alone: DwellSpan
  readonly sent: readonly QuietDocument[]
  /** Documents that waited at the end of each part with the loud tenant: at none, it would not have been loud. */
  readonly waiting: readonly number[]
}

async function floodBeside(run: Run, stage: FaultStage, loudPlaces: readonly Place[]): Promise<Flood> {
  const { size } = run
  const waiting: number[] = []
  const quiet = startQuietTenants({ ...stage, places: onePerTenant(stage.places), everyMs: QUIET_EVERY_MS })
  // Not counted: the first documents of a new process wait for much that happens once.
  await delay(size.warmMs)
  const baseline = await spanOf(() => delay(size.baselineMs))
  const besideFrom = Date.now()
  const isLow = () => stage.watch.latest().queued < size.heap / 2
  const loud = startLoudTenant({ ...stage, ...LOUD, places: loudPlaces, documents: size.heap, isLow })
  await loud.queued
  const heaped = await spanOf(() =>
    delay(Math.max(size.floodMs - (Date.now() - besideFrom), size.floodMs / 2)),
  )
  waiting.push(stage.watch.latest().queued)
  await quiet.stop()
  const alone = await spanOf(() => delay(size.aloneMs))
  waiting.push(stage.watch.latest().queued)
  await loud.stop()
  return {
    baseline,
    beside: { from: besideFrom, until: heaped.until },
    heaped,
    alone,
    sent: quiet.sent,
    waiting,
  }
}

function onePerTenant(places: readonly Place[]): Place[] {
  return [...Map.groupBy(places, ({ tenantId }) => tenantId).values()].flatMap((its) => its.slice(0, 1))
}

async function spanOf(work: () => Promise<void>): Promise<DwellSpan> {
  const from = Date.now()
  await work()
  return { from, until: Date.now() }
}

async function reportQuiet(
  { figures, size: { fewest } }: Run,
  { fleet }: FaultStage,
  loud: string,
  { baseline, beside, sent }: Flood,
): Promise<void> {
  const dwellsIn = async (span: DwellSpan) =>
    (await readDwells(fleet, span)).filter(({ tenantId }) => tenantId !== loud)
  const [alone, together] = [await dwellsIn(baseline), await dwellsIn(beside)]
  figures.atLeast('documents of the quiet tenants alone', alone.length, fewest)
  figures.atLeast('documents of the quiet tenants beside the loud one', together.length, fewest)
  figures.note('wait of the quiet tenants alone', describeWaits(alone))
  figures.note('wait of the quiet tenants beside the loud one', describeWaits(together))
  const wait = judgeSlowdown(waitsOf(alone), waitsOf(together), WAIT_FACTOR)
  figures.atMost('wait of the quiet tenants beside the loud one, p99', wait.measured, wait.bound, ' ms')
  const answersAlone = answersIn(sent, baseline)
  figures.note('answer to the quiet tenants alone, p99', percentile(answersAlone, 0.99), ' ms')
  const answer = judgeSlowdown(answersAlone, answersIn(sent, beside), ANSWER_FACTOR)
  figures.atMost('answer to the quiet tenants beside the loud one, p99', answer.measured, answer.bound, ' ms')
}

function waitsOf(dwells: readonly Dwell[]): number[] {
  return dwells.map(({ ms }) => ms)
}

function describeWaits(dwells: readonly Dwell[]): string {
  const [whole, claimed] = [waitsOf(dwells), dwells.map(({ claimedMs }) => claimedMs)]
  return `p50 / p90 / p99 ${describeTimes(whole)}, of it until a worker had it ${describeTimes(claimed)}`
}

function describeTimes(times: readonly number[]): string {
  return [0.5, 0.9, 0.99].map((share) => `${percentile(times, share).toFixed(0)} ms`).join(' / ')
}

function answersIn(sent: readonly QuietDocument[], { from, until }: DwellSpan): number[] {
  const isWithin = ({ call: { tries } }: QuietDocument) =>
    tries.slice(0, 1).some(({ at }) => at >= from && at < until)
  return sent.filter(isWithin).map(({ answerMs }) => answerMs)
}

async function reportLoud(
  { figures, size }: Run,
  { fleet }: FaultStage,
  loud: string,
  { heaped, alone, waiting }: Flood,
): Promise<void> {
  const { its: beside, others: quiet } = await readRates(fleet, loud, heaped)
  const throughput = { alone: (await readRates(fleet, loud, alone)).its, beside, quiet }
  figures.note('documents the loud tenant heaped up', size.heap)
  // Otherwise the run is void: it was not loud any more.
  figures.atLeast('documents waiting at the end of each part, fewest', Math.min(...waiting), LEAST_WAITING)
  figures.note('documents a second of the loud tenant alone', throughput.alone)
  figures.note('documents a second of the loud tenant beside the quiet ones', throughput.beside)
  figures.note('documents a second of the quiet tenants meanwhile', throughput.quiet)
  const share = shareOfTheRest(throughput)
  figures.atLeast('what the loud tenant gets of what the quiet leave', share, LEAST_SHARE)
}
