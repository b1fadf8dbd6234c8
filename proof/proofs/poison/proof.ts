/**
 * Hostile documents among healthy ones: each fails with its reason after its attempts, and the others hardly notice.
 *
 * Throughput is healthy documents a second, from the first request to the commit of the last healthy document, in turns
 * without hostile ones and with them, the same texts on the same processes. What is measured with them is compared with
 * the turns before and after it, and there are several rounds of that, because a machine that others use is now faster
 * and now slower, and that is not to be taken for an effect. Sending is part of it each time. When the hostile ones end
 * is not: they are tried again with growing pauses, and that takes as long as it takes.
 */
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { poll } from '../../harness/loop.ts'
import { createPlaces } from '../../harness/places.ts'
import type { Place } from '../../harness/places.ts'
import { seededRandom, sum } from '../../harness/statistics.ts'
import { OBEDIENT_READER, OBEDIENT_WORKER, baits, longBaits } from './baits.ts'
import { healthyLetters, hostileLetters, strew } from './corpus.ts'
import type { Letter } from './corpus.ts'
import { judgeEnds, readEnds } from './ends.ts'
import type { End } from './ends.ts'
import { watchHosts } from './hosts.ts'
import { post } from '../../harness/post.ts'
import { countOpen } from '../../harness/watch.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

const FULL = { documents: 20_000, rounds: 4, warmUp: 4_000, healthyMs: 300_000, hostileMs: 1_200_000 }
const SHORT = { documents: 500, rounds: 1, warmUp: 200, healthyMs: 15_000, hostileMs: 35_000 }
/** A broken fleet stays broken; waiting for it longer shows nothing more. */
const SABOTAGED = { healthyMs: 12_000, hostileMs: 3_000 }
const HOSTILE_PART = 0.03
const SIZES = { api: 1, dispatcher: 1, worker: 2 }
/**
 * The number of readers a worker has unless told otherwise. Hostile documents keep their place in the window until they have
 * failed, 150 at a time in the full form, so the window is larger than it is by itself.
 */
const SETTINGS = { READERS: '2', DISPATCH_WINDOW: '1024' }
/** The promise of the service (domain/retry.ts). */
const ATTEMPTS = 5
const LEAST_SHARE = 0.8
const LEAST_STEADINESS = 0.6
/** It holds what some dozen documents claim, and the claims of others that these are compared with. */
const MAX_HOST_MB = 512

type Run = ProofRun<typeof FULL>

export const poison = defineProof({
  name: 'poison',
  shows: 'documents that throw, loop or fill memory fail with their reason, and the others keep their pace',
  sabotages: 'documents are read in the worker itself instead of the sandbox',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT, sabotaged: SABOTAGED },
  instruments: [OBEDIENT_READER],
  mutations: [OBEDIENT_WORKER],
  prove: (run) => withFleet(run, { sizes: SIZES, env: SETTINGS }, (fleet) => prove(run, fleet)),
})

async function prove(run: Run, fleet: Fleet): Promise<void> {
  const { documents, rounds, warmUp, ...patience } = run.size
  const hosts = watchHosts(fleet)
  try {
    const places = await createPlaces(fleet, { tenants: 4, scopes: 2 })
    const stage: Stage = { run, fleet, places, ...patience }
    await secondsOf(stage, 'warm', healthyLetters('warm', warmUp))
    const { letters, ...pace } = await takeTurns(stage, documents, rounds)
    reportPace(run, pace)
    const ends = await readEnds(fleet)
    reportEnds(run, letters, ends)
    reportHosts(run, fleet, hosts.peakMb())
  } finally {
    hosts.stop()
  }
}

interface Turns extends Pace {
  /** Those of the turns with hostile ones. */
  readonly letters: readonly Letter[]
}

async function takeTurns(stage: Stage, documents: number, rounds: number): Promise<Turns> {
  const { run } = stage
  const random = seededRandom(run.seed)
  const healthy = Math.round((documents / rounds) * (1 - HOSTILE_PART))
  const hostile = hostileLetters(documents - rounds * healthy)
  const letters: Letter[] = []
  const beside: number[] = []
  const drained: number[] = []
  const secondsAlone = (turn: number) =>
    secondsOf(stage, `alone${turn}`, healthyLetters(`alone${turn}`, healthy))
  const alone = [await secondsAlone(0)]
  for (let round = 1; round <= rounds; round += 1) {
    const its = hostile.slice(((round - 1) * hostile.length) / rounds, (round * hostile.length) / rounds)
    const mixed = strew(healthyLetters(`beside${round}`, healthy), its, random)
    letters.push(...mixed)
    beside.push(await secondsOf(stage, `beside${round}`, mixed))
    drained.push(await untilEnded(stage, '', stage.hostileMs))
    // A broken fleet shows by then.
    alone.push(run.sabotage ? (alone[0] ?? 0) : await secondsAlone(round))
  }
  return { letters, healthy, alone, beside, drained }
}

interface Stage {
  readonly run: ProofRun
  readonly fleet: Fleet
  readonly places: readonly Place[]
  readonly healthyMs: number
  readonly hostileMs: number
}

/** Until the last of the healthy ones, whose ids begin with the name, has ended; for ever where some never did. */
async function secondsOf(stage: Stage, name: string, letters: readonly Letter[]): Promise<number> {
  const { fleet, places } = stage
  const startedAt = Date.now()
  await post(fleet.url(), places, letters)
  await untilEnded(stage, `${name}-`, stage.healthyMs)
  const ends = await readEnds(fleet)
  const moments = letters.filter(({ bait }) => !bait).map(({ id }) => ends.get(id)?.endedAt ?? Infinity)
  return (Math.max(...moments) - startedAt) / 1000
}

async function untilEnded({ fleet }: Stage, prefix: string, withinMs: number): Promise<number> {
  const started = performance.now()
  await poll(() => countOpen(fleet, prefix), { until: (open) => open === 0, withinMs, everyMs: 200 })
  return (performance.now() - started) / 1000
}

/** In seconds, of turns with as many healthy documents each. */
interface Pace {
  readonly healthy: number
  /** One more than the others: before each of them and after the last. */
  readonly alone: readonly number[]
  readonly beside: readonly number[]
  /** From the last healthy document to the end of the last hostile one. */
  readonly drained: readonly number[]
}

function reportPace({ figures, short }: ProofRun, { healthy, alone, beside, drained }: Pace): void {
  const paces = (seconds: readonly number[]) => seconds.map((each) => Math.round(healthy / each)).join(', ')
  figures.note('healthy documents a second in turns without hostile ones', paces(alone))
  figures.note('healthy documents a second in the turns between, beside hostile ones', paces(beside))
  figures.note(
    'seconds from the last healthy document to the end of the last hostile one',
    Math.max(...drained),
  )
  const around = beside.map((_, turn) => ((alone[turn] ?? Infinity) + (alone[turn + 1] ?? Infinity)) / 2)
  const share = sum(around) / sum(beside)
  // A few hundred documents take a second or two: too short a time to tell a share by on a machine that others use.
  if (short) return figures.note('that is, as a share (told, not judged, in the short form)', share)
  figures.atLeast('that is, as a share', share, LEAST_SHARE)
  // Otherwise the machine did other things meanwhile, and the share means nothing.
  const steadiness = Math.min(...alone) / Math.max(...alone)
  figures.atLeast(
    'steadiness: the fastest turn without hostile ones by the slowest',
    steadiness,
    LEAST_STEADINESS,
  )
}

function reportEnds(run: ProofRun, letters: readonly Letter[], ends: ReadonlyMap<string, End>): void {
  const { figures } = run
  const findings = judgeEnds(letters, ends, ATTEMPTS)
  const hostile = letters.filter(({ bait }) => bait)
  figures.note('healthy documents beside hostile ones', letters.length - hostile.length)
  figures.exactly('hostile documents that failed', hostile.length - findings.spared.length, hostile.length)
  for (const { kind } of [...baits, ...longBaits]) figures.note(`  ${kind}`, reasonsOf(kind, hostile, ends))
  figures.none('healthy documents lost', findings.lost)
  figures.none('hostile documents that failed for a reason not theirs', findings.misjudged)
  figures.none(`hostile documents that failed after other than ${ATTEMPTS} attempts`, findings.miscounted)
  const healthyMs = letters.filter(({ bait }) => !bait).map(({ id }) => ends.get(id)?.tookMs ?? 0)
  const slowest = healthyMs.toSorted((a, b) => b - a).slice(0, 5)
  figures.note('the slowest healthy ones from claim to end', slowest.map(Math.round).join(', '), ' ms')
  figures.note('healthy documents that took more than one attempt', findings.repeated.length)
  for (const each of findings.repeated.slice(0, 5)) run.print(`  ${each}`)
}

function reasonsOf(kind: string, hostile: readonly Letter[], ends: ReadonlyMap<string, End>): string {
  const reasons = hostile
    .filter(({ bait }) => bait?.kind === kind)
    .map(({ id }) => ends.get(id))
    .map((end) => (end?.status === 'failed' ? (end.reason ?? 'no reason') : (end?.status ?? 'not there')))
  const times = Map.groupBy(reasons, (reason) => reason)
  return [...times].map(([reason, each]) => `${each.length} ${reason}`).join(', ')
}

function reportHosts({ figures }: ProofRun, fleet: Fleet, peakMb: number): void {
  figures.none('exits of workers and other processes', fleet.unaskedExits)
  figures.atMost('memory of the largest worker', peakMb, MAX_HOST_MB, ' MB')
  const lines = fleet.deployment.output().split('\n')
  const ended = lines.filter((line) => line.includes('a reading process ended'))
  const peaks = ended.map((line) => Number(/"peak_mb":(\d+)/.exec(line)?.[1] ?? 0))
  const causes = Map.groupBy(
    ended,
    (line) => `${wordIn(line, 'pool')} ${wordIn(line, 'reason') || wordIn(line, 'exit')}`,
  )
  figures.note('reading processes that ended and were replaced', ended.length)
  for (const [cause, each] of causes) figures.note(`  ${cause}`, each.length)
  figures.note('memory of the largest that was killed', Math.max(0, ...peaks), ' MB')
  const recalls = lines.filter((line) => line.includes('work was taken back'))
  figures.note('times that work was taken back from the broker', recalls.length)
}

function wordIn(line: string, name: string): string {
  return new RegExp(`"${name}":"([^"]*)"`).exec(line)?.[1] ?? ''
}
