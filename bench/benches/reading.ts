/**
 * Measures reading: each stage of the rules on one core beside the bare search for words and sentences in the same texts, and a further
 * document through the whole service in a scope with ever more of them, read by rules and by a language model.
 */
import { createDeployment } from '@concord/tools/launch'
import type { Bench, BenchRun } from '../src/bench.ts'
import { setUpIngest } from '../src/ingest-stage.ts'
import { countCandidates } from '../src/reading/candidates.ts'
import { measureModelReading } from '../src/reading/by-model.ts'
import { documentOf, letterOf } from '../src/reading/documents.ts'
import { loadFunctions } from '../src/reading/functions.ts'
import type { Functions } from '../src/reading/functions.ts'
import { fillTo, workOffMore } from '../src/reading/scope.ts'
import { countClaims, measureStages } from '../src/reading/stages.ts'
import { describeLoad } from '../src/summary.ts'

const FULL = { texts: 1_000, sizes: [100, 1_000, 10_000], more: 1_000 }
const SHORT = { texts: 100, sizes: [100, 500], more: 100 }

export const reading: Bench = {
  name: 'reading',
  measures:
    'documents a second and core by stage beside the bare search for words; cost of one more in a full scope',
  async run(run) {
    const functions = await loadFunctions()
    const { texts } = run.short ? SHORT : FULL
    const ratios = [
      compareStages(run, functions, 'letters of 500 characters', numbered(texts, letterOf)),
      compareStages(run, functions, 'documents of 500 words', numbered(texts, documentOf)),
    ]
    for (const { documents, pairs } of countCandidates(functions, (run.short ? SHORT : FULL).sizes))
      run.print(`scope of ${documents}: ${pairs.toFixed(1)} candidate pairs a claim of one more`)
    const growth = await compareSizes(run)
    const byModel = await measureModelReading(run)
    for (const ratio of [...ratios, growth, ...byModel]) run.print(ratio)
  },
}

function numbered(count: number, textOf: (number: number) => string): string[] {
  return Array.from({ length: count }, (_, number) => textOf(number))
}

function compareStages(
  { print }: BenchRun,
  functions: Functions,
  label: string,
  texts: readonly string[],
): string {
  const [bare, ...stages] = measureStages(functions, texts)
  const all = stages.reduce((sum, { micros }) => sum + micros, 0)
  print(`${label}: ${countClaims(functions, texts).toFixed(1)} claims each`)
  for (const { name, micros } of [...(bare ? [bare] : []), ...stages, { name: 'all stages', micros: all }])
    print(`${label}, ${name}: ${micros.toFixed(0)} µs, ${(1_000_000 / micros).toFixed(0)} a second and core`)
  return `ratio to words and sentences, ${label}: ${((bare?.micros ?? 0) / all).toFixed(2)}`
}

/** The time of one more by that in the smallest scope; flat is 1. */
async function compareSizes(run: BenchRun): Promise<string> {
  const { sizes, more } = run.short ? SHORT : FULL
  const name = `bench_reading_${process.pid}`
  const deployment = await createDeployment({ services: run.services, name })
  try {
    const stage = await setUpIngest(run.services, deployment)
    const filling = { sent: 0 }
    const rates: number[] = []
    const costs: number[] = []
    for (const size of sizes) {
      await fillTo(stage, filling, size)
      const result = await workOffMore(stage, filling, more)
      run.print(`scope of ${size}, ${more} more, claim to commit: ${describeLoad(result)}`)
      rates.push(result.perSecond)
      costs.push(Object.values(result.cpuPerThousand ?? {}).reduce((sum, seconds) => sum + seconds, 0))
    }
    const growth = (rates[0] ?? 0) / (rates.at(-1) ?? 1)
    const dearer = (costs.at(-1) ?? 0) / (costs[0] ?? 1)
    const between = `one more among ${sizes.at(-1)} by that among ${sizes[0]} (goal at most 1.5)`
    // Somebody else's work on the machine spoils the first and hardly the second.
    return `time of ${between}: ${growth.toFixed(2)}; processor time: ${dearer.toFixed(2)}`
  } finally {
    await deployment.remove()
  }
}
