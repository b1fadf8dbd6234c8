/** A process dies at each place where that could hurt, again and again: every document comes to its end all the same. */
import { withFolder } from '@concord/tools/launch'
import { runCrashes } from './crashes.ts'
import type { Crash } from './crashes.ts'
import { crashPoints, toMutations } from './points.ts'
import { startLoad } from '../../harness/load.ts'
import { keepHistory, reportEnd, reportSettling } from '../../harness/report.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { NO_RECALL } from '../../harness/no-recall.ts'

const FULL = { rounds: 20, rate: 200, waiting: 300, patienceMs: 60_000, settleMs: 180_000 }
// Documents enough that some process passes each place, and few enough that reading them delays no restart.
const SHORT = { rounds: 1, rate: 40, waiting: 60, patienceMs: 15_000, settleMs: 60_000 }
/** Nobody comes by where lost work would be taken back, and waiting for that shows nothing more. */
const SABOTAGED = { rounds: 1, patienceMs: 4_000, settleMs: 20_000 }

type Run = ProofRun<typeof FULL>

export const crashPointsProof = defineProof({
  name: 'crash-points',
  shows:
    'wherever a process dies, before, between and after each commit and message, every document ends once',
  sabotages: 'what was released and never sent is not taken back',
  sizes: { full: FULL, short: SHORT, sabotaged: SABOTAGED },
  instruments: toMutations(crashPoints),
  mutations: [NO_RECALL],
  prove: (run) => withFolder('crash-points', (folder) => prove(run, folder)),
})

async function prove(run: Run, folder: string): Promise<void> {
  const { rounds, rate, waiting, patienceMs, settleMs } = run.size
  const sizes = { api: 2, dispatcher: 2, worker: 2 }
  await withFaultStage(run, { sizes, env: { CRASH_FOLDER: folder }, expectsCrashes: true }, async (stage) => {
    const isFull = () => stage.watch.latest().queued > waiting
    const load = startLoad({ ...stage, rate, clients: 16, batchers: 1, isFull })
    const crashes = await runCrashes({ ...stage, folder, points: crashPoints, rounds, patienceMs })
    await load.finish(60_000)
    run.figures.note('acknowledged', stage.history.acknowledged())
    await reportSettling(run, stage, settleMs)
    reportCrashes(run, stage, crashes, rounds)
    await reportEnd(run, stage)
    await keepHistory(run, stage, crashes)
  })
}

function reportCrashes(
  { figures }: ProofRun,
  { fleet }: FaultStage,
  crashes: readonly Crash[],
  rounds: number,
): void {
  const times = Map.groupBy(crashes, ({ point }) => point)
  const missed = crashPoints.filter((point) => (times.get(point)?.length ?? 0) < rounds)
  const names = missed.map(({ role, name }) => `${role}, ${name}`)
  figures.atLeast('named places', crashPoints.length, 15)
  figures.atLeast('crashes', crashes.length, crashPoints.length * rounds)
  figures.atMost('places that were hit too seldom', names, 0)
  // One can die before it has said that it is ready; nothing else keeps a process from starting here.
  figures.exactly('processes that died', fleet.crashes() + fleet.failedStarts.length, crashes.length)
}
