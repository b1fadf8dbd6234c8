/**
 * `npm run quality [-- --direct] [--set NAME] [--verbose] [--short]`: measures how well claims and contradictions are
 * found. Ends with 1 when a figure is below its floor.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createDirectReader } from './src/direct/reader.ts'
import { loadReading } from './src/direct/reading.ts'
import { readCases } from './src/gold.ts'
import { printDetails } from './src/sets/case-details.ts'
import { printScores, readAll } from './src/sets/cases.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)

const { values } = parseArgs({
  options: {
    direct: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    set: { type: 'string', default: 'all' },
    verbose: { type: 'boolean', default: false },
  },
})

const started = performance.now()
const reading = await loadReading()
const cases = readCases(join(import.meta.dirname, 'cases'))
const results = await readAll(createDirectReader(reading), cases)
if (values.verbose) printDetails(print, results)
print('# cases (development set)')
printScores(print, results)
print(`# ${((performance.now() - started) / 1000).toFixed(1)} s`)
