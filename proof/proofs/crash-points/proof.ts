/** A process dies at each place where that could hurt, again and again: every document comes to its end all the same. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCrashes } from './crashes.ts'
import type { Crash } from './crashes.ts'
import { crashPoints, toMutations } from './points.ts'
import { startLoad } from '../../harness/load.ts'
import { keepHistory, reportEnd, reportSettling } from '../../harness/report.ts'
import { withFaultStage } from '../../harness/stage.ts'
import type { FaultStage } from '../../harness/stage.ts'
import { withMutatedRepository } from '../../harness/mutation.ts'
import type { Proof, ProofRun } from '../../harness/proof.ts'
import { NO_RECALL } from '../../harness/no-recall.ts'

const FULL = { rounds: 20, patienceMs: 60_000, settleMs: 180_000 }
const SHORT = { rounds: 1, patienceMs: 15_000, settleMs: 60_000 }
/** Nobody comes by where lost work would be taken back, and waiting for that shows nothing more. */
const SABOTAGED = { rounds: 1, patienceMs: 4_000, settleMs: 20_000 }

export const crashPointsProof: Proof = {
  name: 'crash-points',
  shows:
    'wherever a process dies, before, between and after each commit and message, every document ends once',
  sabotages: 'what was released and never sent is not taken back',
  async run(run) {
    const mutations = [...toMutations(crashPoints), ...(run.sabotage ? [NO_RECALL] : [])]
    const folder = await mkdtemp(join(tmpdir(), 'concord-crash-points-'))
    try {
      await withMutatedRepository(mutations, (repository) => prove(run, repository, folder))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function prove(run: ProofRun, repository: string, folder: string): Promise<void> {
  const { rounds, patienceMs, settleMs } = run.sabotage ? SABOTAGED : run.short ? SHORT : FULL
  const options = {
    name: `crash_points_${process.pid}`,
    seed: run.seed,
    sizes: { api: 2, dispatcher: 2, worker: 2 },
    repository,
    env: { CRASH_FOLDER: folder },
    expectsCrashes: true,
  }
  await withFaultStage(options, async (stage) => {
    const isFull = () => stage.watch.latest().queued > 300
    const load = startLoad({ ...stage, rate: 200, clients: 16, batchers: 1, isFull })
    const crashes = await runCrashes({ ...stage, folder, points: crashPoints, rounds, patienceMs })
    await load.finish(60_000)
    run.figures.note('acknowledged', stage.history.acknowledged())
    await reportSettling(run, stage, settleMs)
    reportCrashes(run, stage, crashes, rounds)
    await reportEnd(run, stage)
    await keepHistory(run, 'crash-points', stage, crashes)
  })
}

function reportCrashes(
  { figures, print }: ProofRun,
  { fleet }: FaultStage,
  crashes: readonly Crash[],
  rounds: number,
) {
  const times = Map.groupBy(crashes, ({ point }) => point)
  const missed = crashPoints.filter((point) => (times.get(point)?.length ?? 0) < rounds)
  figures.atLeast('named places', crashPoints.length, 15)
  figures.atLeast('crashes', crashes.length, crashPoints.length * rounds)
  figures.atMost('places that were hit too seldom', missed.length, 0)
  for (const { role, name } of missed) print(`  ${role}, ${name}`)
  // One can die before it has said that it is ready; nothing else keeps a process from starting here.
  figures.exactly('processes that died', fleet.crashes() + fleet.failedStarts.length, crashes.length)
}
