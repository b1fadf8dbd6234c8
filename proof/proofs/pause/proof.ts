/**
 * Pauses under load, at every level and through every API: nothing begins once a pause is answered, what is under way
 * comes to its end, and nothing is lost or done twice over it.
 */
import { waitUntil } from '@concord/tools/launch'
import { planCycles } from './cycle-plan.ts'
import { runCycles } from './cycles.ts'
import type { Cycle } from './cycles.ts'
import { describeLevels, judgePauses } from './verdict.ts'
import { withConnection } from '../../harness/database.ts'
import { startLoad } from '../../harness/load.ts'
import { createRootKeys } from '../../harness/places.ts'
import { keepHistory, reportEnd, reportFirstAttempts, reportSettling } from '../../harness/report.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { drop, rewrite } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { percentile } from '../../harness/statistics.ts'

const FULL = { cycles: 200, settleMs: 300_000, drainPatienceMs: 15_000 }
const SHORT = { cycles: 15, settleMs: 20_000, drainPatienceMs: 15_000 }
/** A queue that never drains need not be waited for. */
const SABOTAGED = { drainPatienceMs: 200 }
const SIZES = { api: 2, dispatcher: 1, worker: 2 }
/** More than two workers read on a small machine, so that there is always something to hold back. */
const LOAD = { rate: 500, clients: 8, batchers: 2 }
const MAX_WAITING = 400
const MAX_DRAIN_SECONDS = 10

/** Lets attempts start without a look at a switch, neither above the scope nor at its own. */
export const SWITCHES_IGNORED: readonly Mutation[] = [
  {
    name: 'the switches of service and tenant are not looked at',
    at: 'attempt.start.switches',
    change: rewrite((line) => line.replace(/:=.*;/, ':= true;')),
  },
  {
    name: 'the switch of the scope is not looked at',
    at: 'attempt.start.scope-switch',
    change: drop,
  },
]

type Run = ProofRun<typeof FULL>

export const pause = defineProof({
  name: 'pause',
  shows: 'once a pause is answered nothing begins, what is under way ends soon, and nothing is lost',
  sabotages: 'the statement that claims work does not look at the switches',
  sizes: { full: FULL, short: SHORT, sabotaged: SABOTAGED },
  mutations: SWITCHES_IGNORED,
  prove,
})

async function prove(run: Run): Promise<void> {
  await withFaultStage(run, { sizes: SIZES }, async (stage) => {
    const cycles = await pauseUnderLoad(run, stage)
    await reportSettling(run, stage, run.size.settleMs)
    reportCycles(run, cycles)
    reportFirstAttempts(run, await reportEnd(run, stage))
    await keepHistory(run, stage, cycles)
  })
}

async function pauseUnderLoad(run: Run, stage: FaultStage): Promise<Cycle[]> {
  const { fleet, history, servers, watch, places, random } = stage
  const { cycles, drainPatienceMs } = run.size
  const plan = planCycles({ cycles, apis: SIZES.api, places, random })
  const keys = await createRootKeys(fleet)
  const load = startLoad({ ...stage, ...LOAD, isFull: () => watch.latest().queued > MAX_WAITING })
  try {
    // Until the first have gone through, there is nothing that a pause could hold back.
    await waitUntil(() => history.acknowledged() > MAX_WAITING && watch.latest().processing > 0, {
      what: 'the load coming up',
      withinMs: 60_000,
    })
    return await withConnection(servers.services, fleet.deployment.databaseName, (ask) =>
      runCycles(plan, { ask, urls: fleet.urls, keys, drainPatienceMs }),
    )
  } finally {
    await load.finish(30_000)
  }
}

function reportCycles({ figures, size }: Run, cycles: readonly Cycle[]): void {
  const verdict = judgePauses(cycles)
  const drained = cycles.filter(({ inFlight }) => inFlight > 0).map(({ drainMs }) => drainMs / 1000)
  const answers = cycles.map(({ answerMs }) => answerMs)
  const half = Math.ceil(cycles.length / 2)
  figures.atLeast('pauses', cycles.length, size.cycles)
  figures.note('pauses by level, and those that found work under way', describeLevels(verdict))
  figures.note('pauses that found nothing under way', verdict.idle)
  // Otherwise the run is void: nothing was in danger.
  figures.atLeast('pauses that found work under way', cycles.length - verdict.idle, half)
  figures.atLeast('pauses that found work waiting, which could have begun', verdict.tempted, half)
  figures.exactly('attempts begun after the answer', verdict.startedAfter, 0)
  figures.none('pauses that did not hold', verdict.broken)
  figures.atLeast('attempts begun meanwhile where it was not paused', verdict.elsewhere, 1)
  figures.note('time until nothing was under way, p99', percentile(drained, 0.99), ' s')
  const longest = Math.max(0, ...drained)
  figures.atMost('time until nothing was under way, longest', longest, MAX_DRAIN_SECONDS, ' s')
  figures.note('answer to a pause, p50', percentile(answers, 0.5), ' ms')
  figures.note('answer to a pause, p99', percentile(answers, 0.99), ' ms')
  figures.none('answers that do not say what was asked for', verdict.wrongAnswers)
  figures.none('answers that tell less under way than there was', verdict.understated)
}
