/** `npm run quality -- --reader model`: measures the model reader on recorded answers, or on those of an endpoint that is asked now. */
import { join } from 'node:path'
import { printCalibration } from '../calibration.ts'
import { showFigures } from '../floors.ts'
import type { QualityFigures } from '../floors.ts'
import { readCases } from '../gold.ts'
import type { QualityInput, Measured, QualitySet } from '../measure.ts'
import type { Print } from '../print.ts'
import type { AnswerSource } from './asking.ts'
import { createModelReader } from './reader.ts'

export interface ModelRun {
  readonly source: AnswerSource
  /** Tokens of statements up to which a document is compared with the whole scope. */
  readonly budget: number
  readonly print: Print
  readonly verbose: boolean
}

export interface ModelFigures {
  readonly figures: QualityFigures
  readonly isComplete: boolean
}

const home = join(import.meta.dirname, '../..')

export async function measureModel(sets: readonly QualitySet[], run: ModelRun): Promise<ModelFigures> {
  const { source, print, verbose } = run
  const reader = createModelReader(source.ask, run.budget)
  print(`# model reader: ${source.about}`)
  const scopes = sets.flatMap(({ name }) => readCases(join(home, name)).map(({ scope }) => scope))
  const missing = await reader.readAhead(scopes)
  const bench: QualityInput = {
    reader,
    data: null,
    print,
    verbose,
    alone: sets.length === 1,
    most: Infinity,
    skips: new Set(missing.keys()),
  }
  const measured = new Map<string, Measured>()
  for (const set of sets) {
    print(`# ${set.name}: ${set.about}`)
    measured.set(set.name, await set.run(bench))
    print('')
  }
  print('# confidence')
  printCalibration(print, new Map([...measured].map(([name, { samples }]) => [name, samples])))
  print('# in short')
  for (const [name, { figures }] of measured) print(`  ${name.padEnd(12)} ${showFigures(figures)}`)
  for (const [scope, { step, hash }] of missing)
    print(`# LEFT OUT: ${scope}, no recorded answer to ${step} ${hash}`)
  if (reader.notIsolated.size > 0)
    print(
      `# NOT ISOLATED: ${[...reader.notIsolated.keys()].toSorted().join(', ')}: suspected documents are compared beside others there, requests of their own are not recorded`,
    )
  const figures = new Map([...measured].map(([name, own]) => [`model ${name}`, own.figures]))
  return { figures, isComplete: missing.size === 0 }
}
