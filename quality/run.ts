/**
 * `npm run quality [-- --direct] [--set NAME] [--verbose] [--short] [--fit]`: measures how well claims and contradictions are
 * found. Ends with 1 when a figure is below its floor, or when the table behind confidence is not what the sets give; `--fit`
 * writes that table anew.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import floors from './floors.json' with { type: 'json' }
import { isFresh, writeCalibration } from './src/calibration-file.ts'
import { printCalibration } from './src/calibration.ts'
import { createDirectReader } from './src/direct/reader.ts'
import { missedFloors, showFigures } from './src/floors.ts'
import type { Bench, Measured, QualitySet } from './src/measure.ts'
import type { Reader } from './src/report.ts'
import { launch } from './src/served/launch.ts'
import { adjudicated } from './src/sets/adjudicated.ts'
import { docsets } from './src/sets/docsets.ts'
import { cases, further, held } from './src/sets/labelled-cases.ts'
import { pairs } from './src/sets/pairs.ts'
import { held6, pairs57 } from './src/sets/routing.ts'
import { scenarios } from './src/sets/scenarios.ts'
import { seeded } from './src/sets/seeded.ts'

const sets: readonly QualitySet[] = [
  cases,
  further,
  held,
  docsets,
  seeded,
  adjudicated,
  scenarios,
  pairs57,
  held6,
  pairs,
]

const print = (line: string) => void process.stdout.write(`${line}\n`)

// Whoever looks at the first lines only closes the pipe.
process.stdout.on('error', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(3))

const { values } = parseArgs({
  options: {
    direct: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    set: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    fit: { type: 'boolean', default: false },
  },
})

const folder = process.env['CONCORD_QUALITY_DATA'] ?? join(import.meta.dirname, '../../shared/quality')
const data = existsSync(folder) ? folder : null

type Results = ReadonlyMap<string, Measured>

async function measureDirectly(wanted: readonly QualitySet[]): Promise<Results> {
  return measure(wanted, createDirectReader())
}

async function measureService(wanted: readonly QualitySet[]): Promise<Results> {
  const { reader, remove } = await launch()
  try {
    return await measure(wanted, reader)
  } finally {
    await remove()
  }
}

async function measure(wanted: readonly QualitySet[], reader: Reader): Promise<Results> {
  const bench: Bench = {
    reader,
    data,
    print,
    verbose: values.verbose,
    alone: wanted.length === 1,
    most: values.short ? 2 : Infinity,
  }
  const measured = new Map<string, Measured>()
  for (const set of wanted) {
    print(`# ${set.name}: ${set.about}`)
    if (set.foreign && data === null) print('  left out: its data is not here (CONCORD_QUALITY_DATA)')
    else measured.set(set.name, await set.run(bench))
    print('')
  }
  // Sentence pairs go past the reader.
  if (wanted.some(({ readsScopes }) => readsScopes)) print(`# ${reader.pace()}; ${await reader.cost()}`)
  return measured
}

const chosen = sets.filter(({ name }) => (values.short ? name === 'cases' : (values.set ?? name) === name))
if (chosen.length === 0) {
  for (const { name, about } of sets) print(`${name.padEnd(12)} ${about}`)
  process.exitCode = 2
} else {
  const started = performance.now()
  const measured = await (values.direct ? measureDirectly(chosen) : measureService(chosen))
  print('# confidence')
  const samples = new Map([...measured].map(([name, own]) => [name, own.samples]))
  printCalibration(print, samples)
  if (values.fit && !writeCalibration(samples)) print('# not fitted: a set that is needed was not read')
  const isStale = !values.fit && isFresh(samples) === false
  if (isStale) print('# CALIBRATION IS STALE: npm run quality -- --direct --fit, and say what changed')
  // Two cases have floors of their own.
  const figures = new Map([...measured].map(([name, own]) => [values.short ? 'short' : name, own.figures]))
  print('# in short')
  for (const [name, own] of figures) print(`  ${name.padEnd(12)} ${showFigures(own)}`)
  const missed = missedFloors(floors, figures)
  for (const line of missed) print(`# BELOW ITS FLOOR: ${line}`)
  print(`# ${((performance.now() - started) / 1000).toFixed(1)} s`)
  if (missed.length > 0 || isStale) process.exitCode = 1
}
