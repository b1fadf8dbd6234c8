/**
 * Measures one more document that a language model reads, in a scope with ever more facts: the endpoint is a local server that answers at once, so
 * what is left is the work of the service. Beside it the rule reader with the same texts.
 */
import { withModelServer } from '@concord/proof/model-endpoint'
import type { ModelServer } from '@concord/proof/model-endpoint'
import { createDeployment } from '@concord/tools/launch'
import type { BenchRun } from '../bench.ts'
import { setUpIngest } from '../ingest-stage.ts'
import type { IngestStage } from '../ingest-stage.ts'
import type { LoadResult } from '../summary.ts'
import { addFacts, FACTS_A_DOCUMENT } from './more-facts.ts'
import { reportOf } from './reports.ts'
import { fillTo, workOffMore } from './scope.ts'

const FULL = { sizes: [100, 10_000, 100_000], more: 300 }
const SHORT = { sizes: [100, 1_000, 10_000], more: 40 }
/** Sent to the service; the rest of a scope is copied from them. */
const ORIGINALS = 100

interface Cost {
  readonly worker: number
  readonly postgres: number
  readonly ms: number
}

/** Prints what each size costs, and returns the ratios. */
export async function measureModelReading(run: BenchRun): Promise<string[]> {
  const rules = await withStage(run, 'rules', {}, (stage) => measureRules(run, stage))
  const costs = await withModelServer((model) =>
    withStage(run, 'model', model.env, (stage) => measureSizes(run, stage, model)),
  )
  const [first, last] = [costs[0], costs.at(-1)]
  if (!first || !last) return []
  const { sizes } = run.short ? SHORT : FULL
  const growth = (part: keyof Cost) => (last[part] / first[part]).toFixed(2)
  return [
    `processor time of the model reader, without the endpoint, by that of the rule reader: ${((first.worker + first.postgres) / (rules.worker + rules.postgres)).toFixed(2)}`,
    `model reader, one more among ${sizes.at(-1)} by that among ${sizes[0]} (goal at most 1.5): Postgres ${growth('postgres')}, worker ${growth('worker')}, time ${growth('ms')}`,
  ]
}

async function withStage<Result>(
  { services }: BenchRun,
  reader: string,
  env: Readonly<Record<string, string>>,
  work: (stage: IngestStage) => Promise<Result>,
): Promise<Result> {
  const deployment = await createDeployment({ services, name: `bench_${reader}_${process.pid}`, env })
  try {
    return await work(await setUpIngest(services, deployment))
  } finally {
    await deployment.remove()
  }
}

async function measureRules({ print, short }: BenchRun, stage: IngestStage): Promise<Cost> {
  const { more } = short ? SHORT : FULL
  const filling = { sent: 0, textOf: reportOf }
  await fillTo(stage, filling, ORIGINALS)
  const cost = toCost(await workOffMore(stage, filling, more))
  print(`rule reader, scope of ${ORIGINALS}, ${more} more: ${describe(cost)} a document`)
  return cost
}

async function measureSizes(
  { print, short }: BenchRun,
  stage: IngestStage,
  { counts }: ModelServer,
): Promise<Cost[]> {
  const { sizes, more } = short ? SHORT : FULL
  const filling = { sent: 0, textOf: reportOf }
  await fillTo(stage, filling, ORIGINALS)
  const costs: Cost[] = []
  for (const size of sizes) {
    await addFacts(stage, ORIGINALS, size)
    // Processes that have just come up are slower.
    await workOffMore(stage, filling, Math.ceil(more / 3))
    const before = { ...counts }
    const cost = toCost(await workOffMore(stage, filling, more))
    const candidates = (counts.earlier - before.earlier) / Math.max(1, counts.fresh - before.fresh)
    print(
      `model reader, scope of ${size} (at least ${size * FACTS_A_DOCUMENT} facts), ${more} more: ${describe(cost)} a document, ${candidates.toFixed(1)} candidates a claim, ${((counts.fresh - before.fresh) / more).toFixed(1)} new facts a document`,
    )
    costs.push(cost)
  }
  return costs
}

/** The cost of one document, in milliseconds. */
function toCost({ perSecond, cpuPerThousand = {} }: LoadResult): Cost {
  return {
    worker: cpuPerThousand['worker'] ?? 0,
    postgres: cpuPerThousand['Postgres'] ?? 0,
    ms: 1_000 / perSecond,
  }
}

function describe({ worker, postgres, ms }: Cost): string {
  return `worker ${worker.toFixed(1)} ms, Postgres ${postgres.toFixed(1)} ms of processor time, ${ms.toFixed(1)} ms`
}
