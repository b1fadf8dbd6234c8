/**
 * `npm run quality [-- --direct] [--set NAME] [--verbose] [--short] [--fit]`: measures how well claims and contradictions are
 * found. Ends with 1 when a figure is below its floor, or when the table behind confidence is not what the sets give; `--fit`
 * writes that table anew. `--reader model` measures the model reader on recorded answers; `--live` asks the endpoint that
 * `MODEL_URL` names, `--record DIR` writes requests to `DIR/requests` and waits for the files in `DIR/answers`.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import floors from './floors.json' with { type: 'json' }
import { isFresh, writeCalibration } from './src/calibration-file.ts'
import { printCalibration } from './src/calibration.ts'
import { createDirectReader } from './src/direct/reader.ts'
import { missedFloors, showFigures } from './src/floors.ts'
import type { QualityFigures } from './src/floors.ts'
import type { QualityInput, Measured, QualitySet } from './src/measure.ts'
import { askLive, recordAnswers, replayAnswers } from './src/model/asking.ts'
import type { AnswerSource } from './src/model/asking.ts'
import { measureModel } from './src/model/run.ts'
import type { Reader } from './src/report.ts'
import { launch } from './src/served/launch.ts'
import { adjudicated } from './src/sets/adjudicated.ts'
import { docsets } from './src/sets/docsets.ts'
import { cases, further, held, languages, natural } from './src/sets/labelled-cases.ts'
import { pairs } from './src/sets/pairs.ts'
import { held6, pairs57 } from './src/sets/routing.ts'
import { scenarios } from './src/sets/scenarios.ts'
import { seeded } from './src/sets/seeded.ts'

const sets: readonly QualitySet[] = [
  cases,
  further,
  held,
  natural,
  languages,
  docsets,
  seeded,
  adjudicated,
  scenarios,
  pairs57,
  held6,
  pairs,
]

const print = (line: string) => void process.stdout.write(`${line}\n`)

// The reader of the first lines alone closes the pipe.
process.stdout.on('error', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(3))

const { values } = parseArgs({
  options: {
    direct: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    set: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    fit: { type: 'boolean', default: false },
    reader: { type: 'string', default: 'rules' },
    live: { type: 'boolean', default: false },
    record: { type: 'string' },
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
  const bench: QualityInput = {
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

function openAnswers(): Promise<AnswerSource> | AnswerSource {
  if (values.record !== undefined) return recordAnswers(resolve(values.record))
  const url = process.env['MODEL_URL']
  if (!values.live) return replayAnswers()
  if (url === undefined)
    throw new Error('--live asks the endpoint that MODEL_URL names: set MODEL_URL and MODEL_NAME.')
  return askLive({ url, apiKey: process.env['MODEL_API_KEY'], model: process.env['MODEL_NAME'] ?? '' })
}

const compareTokens = 24_000

/** Ends with 1 also where answers are not recorded: figures over a part of a set are none. */
async function runModel(wanted: readonly QualitySet[]): Promise<void> {
  const source = await openAnswers()
  const budget = Number(process.env['MODEL_COMPARE_TOKENS'] ?? compareTokens)
  const { figures, isComplete } = await measureModel(wanted, {
    source,
    budget,
    print,
    verbose: values.verbose,
  })
  await source.close()
  if (printMissed(figures) || !isComplete) process.exitCode = 1
}

function printMissed(figures: QualityFigures): boolean {
  const missed = missedFloors(floors, figures)
  for (const line of missed) print(`# BELOW ITS FLOOR: ${line}`)
  return missed.length > 0
}

async function runRules(wanted: readonly QualitySet[]): Promise<void> {
  const started = performance.now()
  const measured = await (values.direct ? measureDirectly(wanted) : measureService(wanted))
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
  const isBelow = printMissed(figures)
  print(`# ${((performance.now() - started) / 1000).toFixed(1)} s`)
  if (isBelow || isStale) process.exitCode = 1
}

const readers = new Map([
  ['rules', { sets, run: runRules }],
  ['model', { sets: [cases, further, held, natural, languages], run: runModel }],
])

const chosen = readers.get(values.reader)
const wanted = chosen?.sets.filter(({ name }) =>
  values.short ? name === 'cases' : (values.set ?? name) === name,
)
if (chosen === undefined || wanted === undefined || wanted.length === 0) {
  print('--reader rules (the default) or model; --set one of')
  for (const { name, about } of chosen?.sets ?? sets) print(`${name.padEnd(12)} ${about}`)
  process.exitCode = 2
} else {
  await chosen.run(wanted)
}
