/** What later work costs those who came before it: ingestion and pipeline beside an earlier commit, turn and turn about. */
import { createDeployment } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'
import { workOff } from '../src/backlog.ts'
import type { Bench, BenchRun } from '../src/bench.ts'
import { describeCommit, withEarlier } from '../src/earlier.ts'
import { ingestOverHttp, setUpIngest } from '../src/ingest-stage.ts'
import type { IngestStage, Load } from '../src/ingest-stage.ts'
import { describeLoad, median } from '../src/summary.ts'
import type { LoadResult } from '../src/summary.ts'

/** The last commit before convergence, policies and audit. */
const BEFORE = '8e898f4'
const BOUND = 0.95
const LOAD: Load = { bytes: 2_048, inFlight: 64, warmUpSeconds: 0, seconds: 300 }

interface Side {
  readonly name: string
  readonly stage: IngestStage
  readonly ingest: LoadResult[]
  readonly pipeline: LoadResult[]
}

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

async function compare(run: BenchRun, deployments: readonly [Deployment, Deployment]): Promise<void> {
  const now = await setUp(run, 'now', deployments[0])
  const earlier = await setUp(run, 'earlier', deployments[1])
  const calls = run.short ? 2_000 : 10_000
  for (const side of [now, earlier]) await ingestOverHttp(side.stage, 'paced', { ...LOAD, calls: 500 })
  for (const side of [now, earlier]) await workOff(side.stage)
  const rounds = run.short ? 2 : 5
  for (let round = 1; round <= rounds; round += 1) {
    // Who goes first has the colder machine: they take turns at that too.
    const sides = round % 2 === 0 ? [now, earlier] : [earlier, now]
    for (const side of sides)
      side.ingest.push(await ingestOverHttp(side.stage, 'measured', { ...LOAD, calls }))
    for (const side of sides) side.pipeline.push(await workOff(side.stage))
    for (const side of sides) tellRound(run, round, side)
  }
  for (const part of ['ingest', 'pipeline'] as const) tellRatio(run, part, now[part], earlier[part])
}

async function setUp(run: BenchRun, name: string, deployment: Deployment): Promise<Side> {
  return { name, stage: await setUpIngest(run.services, deployment), ingest: [], pipeline: [] }
}

function tellRound({ print }: BenchRun, round: number, { name, ingest, pipeline }: Side): void {
  for (const [part, results] of Object.entries({ ingest, pipeline })) {
    const last = results.at(-1)
    if (last) print(`round ${round}, ${part}, ${name}: ${describeLoad(last)}`)
  }
}

function tellRatio(
  { print }: BenchRun,
  part: string,
  now: readonly LoadResult[],
  earlier: readonly LoadResult[],
): void {
  const over = (measured: (result: LoadResult) => number) =>
    median(now.map((result, round) => measured(result) / measured(earlier[round] ?? result))).toFixed(2)
  print(`${part}: processor time of 1,000 documents, as a multiple of before: ${over(sumOfCpu)}`)
  print(`${part}: ratio to before: ${over(({ perSecond }) => perSecond)} (>= ${BOUND})`)
}

function sumOfCpu({ cpuPerThousand = {} }: LoadResult): number {
  return Object.entries(cpuPerThousand).reduce(
    (sum, [name, seconds]) => sum + (name === 'client' ? 0 : seconds),
    0,
  )
}
