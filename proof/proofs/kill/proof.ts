/** Kills everything at random under load: what was acknowledged is done once, whatever died meanwhile. */
import { killKinds, planKills } from './kill-plan.ts'
import type { KillKind } from './kill-plan.ts'
import { runKills } from './kills.ts'
import type { Kill, KillRun } from './kills.ts'
import { startLoad } from '../../harness/load.ts'
import { poll } from '../../harness/loop.ts'
import { isAlive } from '../../harness/offspring.ts'
import { servedMs } from '../../harness/presence.ts'
import { keepHistory, reportEnd, reportSettling } from '../../harness/report.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { findTakeovers, holdersIn } from './takeover.ts'
import type { Takeover } from './takeover.ts'
import { percentile } from '../../harness/statistics.ts'
import { rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'

const FULL = { kills: 300, acknowledged: 100_000, minGapMs: 200, maxGapMs: 2_500, waiting: 150_000 }
const SHORT = { kills: 20, acknowledged: 1_000, minGapMs: 100, maxGapMs: 700, waiting: 500 }
const SIZES = { api: 2, dispatcher: 2, worker: 4 }
const GOAL_RATE = 1_000
/** Documents that were accepted faster than they could be read, with everything being killed, are read afterwards. */
const TIMEOUT_MS = 1_200_000
const TAKEOVER_SECONDS = 12
/** With a kill every half second and all processes starting anew on two cores, whoever takes over has to start first. */
const SHORT_TAKEOVER_SECONDS = 20

/** The statement runs in a transaction that is committed a moment after its rows are handed on. */
function commitLater(written: string): string {
  const [, pool, statement] = /^await (\w+)\.query(?:<\w+>)?\(([\s\S]*)\)$/.exec(written) ?? []
  return `await ${pool}.connect().then(async (connection) => {
    await connection.query('begin')
    const answer = await connection.query(${statement})
    setTimeout(() => connection.query('commit').then(() => connection.release(), (error) => connection.release(error)), 200)
    return answer
  })`
}

/** The answer leaves before the commit: what is under way when something dies was promised and is gone. */
export const ANSWER_BEFORE_COMMIT: Mutation = {
  name: 'the answer is sent before the commit',
  at: 'ingest.write',
  change: rewriteValue(commitLater),
}

type Run = ProofRun<typeof FULL>

export const kill = defineProof({
  name: 'kill',
  shows: 'whatever is killed under load, every acknowledged document is done, and done once',
  sabotages: 'the answer to POST /api/ingest is sent before the commit',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT },
  mutations: [ANSWER_BEFORE_COMMIT],
  prove,
})

async function prove(run: Run): Promise<void> {
  await withFaultStage(run, { sizes: SIZES, notesClaims: true }, async (stage) => {
    const killed = await killUnderLoad(run, stage)
    await reportSettling(run, stage, TIMEOUT_MS)
    const { repeatedClaims } = await reportEnd(run, stage)
    const holders = holdersIn(
      stage.fleet.members('worker').flatMap(({ lives }) => lives),
      stage.watch.tickets,
    )
    const moments = killed.kills.filter(({ kind }) => kind === 'worker').map(({ at }) => at)
    const takeovers = findTakeovers(repeatedClaims, moments, holders)
    reportKills(run, killed, takeovers)
    reportTakeovers(run, stage, takeovers)
    await keepHistory(run, stage, { ...killed, takeovers, presence: stage.fleet.presence.changes })
  })
}

async function killUnderLoad(run: Run, stage: FaultStage): Promise<KillRun> {
  const { size } = run
  const { history, watch, random } = stage
  const isFull = () => watch.latest().queued > size.waiting
  const load = startLoad({ ...stage, rate: 2 * GOAL_RATE, clients: 48, batchers: 6, isFull })
  const started = performance.now()
  const killed = await runKills(planKills({ ...size, random }), stage)
  const rate = history.acknowledged() / ((performance.now() - started) / 1000)
  // Kills can be fewer than it takes to accept so many on a slow machine; the load goes on alone then.
  await poll(history.acknowledged, { until: (count) => count >= size.acknowledged, withinMs: 30 * 60_000 })
  await load.finish(TIMEOUT_MS)
  run.figures.atLeast('acknowledged', history.acknowledged(), size.acknowledged)
  run.figures.note(`documents a second while killing (goal ${GOAL_RATE})`, rate)
  return killed
}

function reportKills(run: Run, { kills, offspring }: KillRun, takeovers: readonly Takeover[]): void {
  const { figures, size } = run
  const takenOver = new Set(takeovers.map(({ killedAt }) => killedAt))
  const hit = ({ kind, at, inFlight = 0 }: Kill) => (kind === 'worker' ? takenOver.has(at) : inFlight > 0)
  const byKind = Map.groupBy(kills, ({ kind }) => kind)
  const hitsOf = (kind: KillKind) => (byKind.get(kind) ?? []).filter(hit).length
  figures.atLeast('kills', kills.length, size.kills)
  figures.note(
    'kills by kind, and those that hit work in flight',
    killKinds.map((kind) => `${kind} ${byKind.get(kind)?.length ?? 0}/${hitsOf(kind)}`).join(', '),
  )
  // Otherwise the run is void: nothing was in danger.
  figures.atLeast('kills that hit work in flight', kills.filter(hit).length, Math.ceil(kills.length / 2))
  figures.atMost('kinds that never hit any', killKinds.filter((kind) => hitsOf(kind) === 0).length, 0)
  figures.exactly('children of killed processes still alive', offspring.filter(isAlive).length, 0)
}

function reportTakeovers(
  { figures, short }: Run,
  { fleet }: FaultStage,
  takeovers: readonly Takeover[],
): void {
  const { changes } = fleet.presence
  const seconds = takeovers.map(({ ms }) => ms / 1000)
  const served = takeovers.map(({ killedAt, ms }) => servedMs(changes, killedAt, killedAt + ms) / 1000)
  figures.note('documents taken over from a killed worker', takeovers.length)
  figures.note('takeover by the clock on the wall, p50', percentile(seconds, 0.5), ' s')
  figures.note('takeover by the clock on the wall, p99', percentile(seconds, 0.99), ' s')
  // Faults overlap: while no worker or a server is there, nobody can take over.
  // Of a few dozen, the slowest one in a hundred is the slowest: one whose next worker was killed as well.
  const share = short ? 0.9 : 0.99
  figures.atMost(
    `takeover while a worker and both servers were there, p${share * 100}`,
    percentile(served, share),
    short ? SHORT_TAKEOVER_SECONDS : TAKEOVER_SECONDS,
    ' s',
  )
}
