/** Compares with an earlier commit: ingestion and pipeline at the same time as the same at an earlier commit. */
import { createDeployment } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'
import { workOffTogether } from '../src/backlog.ts'
import type { Bench, BenchRun } from '../src/bench.ts'
import { describeCommit, withEarlier } from '../src/earlier.ts'
import { ingestOverHttp, setUpIngest } from '../src/ingest-stage.ts'
import type { IngestStage, Load } from '../src/ingest-stage.ts'
import { median } from '../src/summary.ts'
import type { LoadResult } from '../src/summary.ts'

/** The last commit before convergence, policies and audit. */
const BEFORE = '8e898f4'
const BOUND = 0.95
const LOAD: Load = { bytes: 2_048, inFlight: 64, warmUpSeconds: 1, seconds: 10 }
const SHORT_LOAD: Load = { ...LOAD, seconds: 2 }
const ROUNDS = 5
const SHORT_ROUNDS = 3

export const before: Bench = {
  name: 'before',
  measures: 'POST /api/ingest and the pipeline beside the same at an earlier commit (--commit)',
  async run(run) {
    const commit = run.commit ?? BEFORE
    run.print(`beside ${await describeCommit(commit)}`)
    await withEarlier(commit, async (repository) => {
      const deployments = await Promise.all([
        createDeployment({ services: run.services, name: `bench_now_${process.pid}` }),
        createDeployment({ services: run.services, name: `bench_earlier_${process.pid}`, repository }),
      ])
      try {
        await compare(run, deployments)
      } finally {
        for (const deployment of deployments) await deployment.remove()
      }
    })
  },
}

/** Both at once: one after the other, a machine that is shared with others is not the same machine twice. */
async function compare(run: BenchRun, deployments: readonly [Deployment, Deployment]): Promise<void> {
  const stages: IngestStage[] = []
  for (const deployment of deployments) stages.push(await setUpIngest(run.services, deployment))
  const load = run.short ? SHORT_LOAD : LOAD
  const ratios = { ingest: [] as number[], pipeline: [] as number[] }
  for (let round = 1; round <= (run.short ? SHORT_ROUNDS : ROUNDS); round += 1) {
    const loads = await Promise.all(stages.map((stage) => ingestOverHttp(stage, 'measured', load)))
    const worked = await workOffTogether(stages)
    const paces = {
      ingest: loads.map(({ perSecond }) => perSecond),
      pipeline: worked.map(({ perSecond }) => perSecond),
    }
    for (const part of ['ingest', 'pipeline'] as const) {
      const [now = 0, earlier = 0] = paces[part]
      ratios[part].push(now / earlier)
      run.print(
        `round ${round}, ${part}: now ${now.toFixed(0)}/s beside ${earlier.toFixed(0)}/s, ratio ${(now / earlier).toFixed(2)}`,
      )
    }
    run.print(`round ${round}, ingest: ${describeCpu(loads, ['API'])}`)
    run.print(`round ${round}, pipeline: ${describeCpu(worked)}`)
  }
  for (const part of ['ingest', 'pipeline'] as const)
    run.print(`${part}: ratio to before: ${median(ratios[part]).toFixed(2)} (>= ${BOUND})`)
}

/** The cost is told by processor time even where the machine is busy with something else. */
function describeCpu(
  results: readonly Pick<LoadResult, 'cpuPerThousand'>[],
  names = Object.keys(results[0]?.cpuPerThousand ?? {}),
): string {
  const of = (name: string) =>
    results.map(({ cpuPerThousand }) => (cpuPerThousand?.[name] ?? 0).toFixed(2)).join(' beside ')
  return `processor seconds for 1,000: ${names.map((name) => `${name} ${of(name)}`).join(', ')}`
}
