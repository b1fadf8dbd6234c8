/**
 * Restarts Postgres under load, also in the middle of its recovery, and breaks the network before it in every way: no
 * process ends, nobody waits for long, and afterwards everything is as if nothing had happened.
 */
import { waitUntil } from '@concord/tools/launch'
import { startAskers } from './askers.ts'
import type { Exchange } from './askers.ts'
import { countBusy, countQuiet, untilBackTo } from './connections.ts'
import { openNetwork } from './network.ts'
import type { Network } from './network.ts'
import { planRestarts, runNetworkFaults, runRestarts } from './outages.ts'
import type { Outage, PlannedFault } from './outages.ts'
import { describe, exchangesOf, findHangs, findWrong, recoveriesOf, successesDuring } from './verdict.ts'
import { startLoad } from '../../harness/load.ts'
import { happens } from '../../harness/loop.ts'
import { createRootKeys } from '../../harness/places.ts'
import { keepHistory, reportEnd, reportSettling } from '../../harness/report.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { drop, rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { percentile } from '../../harness/statistics.ts'

const FULL_FAULTS: readonly PlannedFault[] = [
  { kind: 'blackhole', forMs: 20_000 },
  { kind: 'reset', forMs: 10_000 },
  { kind: 'slow', forMs: 15_000 },
  { kind: 'trickle', forMs: 15_000 },
]
const SHORT_FAULTS: readonly PlannedFault[] = [
  { kind: 'blackhole', forMs: 7_000 },
  { kind: 'reset', forMs: 1_500 },
]
const FULL = {
  restarts: 20,
  faults: FULL_FAULTS,
  acknowledged: 5_000,
  maxGapMs: 3_000,
  sizes: { api: 2, dispatcher: 2, worker: 2 },
}
const SHORT = {
  restarts: 2,
  faults: SHORT_FAULTS,
  acknowledged: 300,
  maxGapMs: 500,
  sizes: { api: 2, dispatcher: 1, worker: 2 },
}
const LOAD = { rate: 300, clients: 16, batchers: 2 }
const MAX_WAITING = 200
/** Sends whatever waits: while all others hold back, nobody would notice that documents are accepted again. */
const STEADY = { rate: 10, clients: 1, batchers: 0, isFull: () => false }
const STUCK_MS = 60_000
const MAX_WAIT_MS = 6_000
const RETURN_SECONDS = 5
const FAILED_ONE_IN = 1_000
/** A pool lets go of what it has not used for half a minute. */
const BASELINE_PATIENCE_MS = 60_000

/** Each for another figure to notice. */
export const DATABASE_SABOTAGES: readonly Mutation[] = [
  {
    name: 'nobody listens to the errors of a connection in use',
    at: 'database.connection-error',
    change: drop,
  },
  {
    name: 'a caller waits for as long as the database is silent',
    at: 'http.deadline',
    change: rewriteValue((timer) => timer.replace(/, .*\)$/, ', 600_000)')),
  },
]

type Run = ProofRun<typeof FULL>

export const database = defineProof({
  name: 'database',
  shows:
    'Postgres may go and come and the network before it break: no process ends, nobody waits long, nothing is lost',
  sabotages: 'lost connections go unheard in the pool, and callers wait without a deadline',
  measuresPace: true,
  sizes: { full: FULL, short: SHORT },
  mutations: DATABASE_SABOTAGES,
  prove,
})

async function prove(run: Run): Promise<void> {
  const network = await openNetwork()
  try {
    const options = { sizes: run.size.sizes, detour: network.before }
    await withFaultStage(run, options, (stage) => proveOn(run, stage, network))
  } finally {
    await network.close()
  }
}

async function proveOn(run: Run, stage: FaultStage, network: Network): Promise<void> {
  const pids = pidsOf(stage)
  const { outages, asked, baseline } = await breakUnderLoad(run, stage, network)
  await reportSettling(run, stage, STUCK_MS)
  const open = await untilBackTo(stage, baseline, BASELINE_PATIENCE_MS)
  reportOutages(run, stage, outages)
  reportWaits(run, [...exchangesOf(stage.history.calls), ...asked])
  const before = run.short ? 'under load' : 'at rest'
  run.figures.atMost(`connections afterwards, and ${before} before`, open, baseline)
  const others = pidsOf(stage).filter((pid) => !pids.includes(pid))
  run.figures.exactly('processes that are not those of the beginning', others.length, 0)
  const { documents, repeatedClaims } = await reportEnd(run, stage)
  const failed = documents.filter(({ status }) => status === 'failed')
  // A claim whose answer is lost costs an attempt, and five of them the document, which can be asked for again.
  const few = Math.floor(documents.length / FAILED_ONE_IN)
  run.figures.atMost('documents that failed, with nothing wrong about them', failed.length, few)
  const attempts = repeatedClaims.map(({ attempt }) => attempt)
  run.figures.note('most attempts that a document took', Math.max(1, ...attempts))
  await keepHistory(run, stage, { outages, asked })
}

interface Broken {
  readonly outages: readonly Outage[]
  readonly asked: readonly Exchange[]
  readonly baseline: number
}

async function breakUnderLoad(run: Run, stage: FaultStage, network: Network): Promise<Broken> {
  const { restarts, faults, acknowledged, maxGapMs } = run.size
  const { fleet, history, places, watch, random } = stage
  const keys = await createRootKeys(fleet)
  const quiet = await countQuiet(stage)
  const loads = [
    startLoad({ ...stage, ...LOAD, isFull: () => watch.latest().queued > MAX_WAITING }),
    startLoad({ ...stage, ...STEADY }),
  ]
  const askers = startAskers({ urls: fleet.urls(), place: places[0], keys })
  try {
    await waitUntil(() => watch.latest().processing > 0, { what: 'the load coming up' })
    // Pools let go of what they do not need only after half a minute, which a short run does not have.
    const baseline = run.short ? await countBusy(stage) : quiet
    const deps = { ...stage, network, maxGapMs, print: run.print }
    const outages = [
      ...(await runRestarts(planRestarts(restarts, random), deps)),
      ...(await runNetworkFaults(faults, deps)),
    ]
    await happens(() => history.acknowledged() >= acknowledged, { withinMs: 60_000 })
    run.figures.atLeast('acknowledged', history.acknowledged(), acknowledged)
    return { outages, asked: askers.exchanges, baseline }
  } finally {
    await askers.stop()
    await Promise.all(loads.map((load) => load.finish(60_000)))
  }
}

function reportOutages({ figures, print, size }: Run, stage: FaultStage, outages: readonly Outage[]): void {
  const { restarts, faults } = size
  const exchanges = exchangesOf(stage.history.calls)
  const byKind = Map.groupBy(outages, ({ kind }) => kind)
  const recoveries = recoveriesOf(outages, exchanges).map((ms) => ms / 1000)
  figures.exactly('outages', outages.length, restarts + faults.length)
  figures.note('outages by kind', [...byKind].map(([kind, { length }]) => `${kind} ${length}`).join(', '))
  // Otherwise the run is void: nothing was in danger.
  const hit = outages.filter(({ underWay }) => underWay > 0).length
  figures.atLeast('outages that hit requests under way', hit, Math.ceil(outages.length / 2))
  figures.note('first success after the database was back, p50', percentile(recoveries, 0.5), ' s')
  const slowest = Math.max(...recoveries)
  figures.atMost('first success after the database was back, slowest', slowest, RETURN_SECONDS, ' s')
  for (const [at, { kind }] of outages.entries())
    if ((recoveries[at] ?? 0) > RETURN_SECONDS) print(`  ${kind}: ${recoveries[at]} s`)
  // A fault that only slows the network down stops nobody.
  for (const outage of outages.filter(({ kind }) => kind === 'slow' || kind === 'trickle'))
    figures.atLeast(
      `documents accepted while the network is ${outage.kind}`,
      successesDuring(outage, exchanges),
      1,
    )
}

function reportWaits({ figures }: Run, exchanges: readonly Exchange[]): void {
  const hangs = findHangs(exchanges, MAX_WAIT_MS).map(describe)
  const wrong = findWrong(exchanges).map(describe)
  const longestMs = exchanges.reduce((longest, { ms }) => Math.max(longest, ms), 0)
  figures.note('requests', exchanges.length)
  figures.note('of these, answered 503', exchanges.filter(({ what }) => what === '503').length)
  figures.note('longest wait for an answer', longestMs / 1000, ' s')
  figures.atMost(`requests that waited longer than ${MAX_WAIT_MS / 1000} s`, hangs, 0)
  figures.none('answers that were neither what was asked for nor 503', wrong)
}

function pidsOf({ fleet }: FaultStage): number[] {
  return fleet.members().map((member) => member.process()?.pid ?? -1)
}
