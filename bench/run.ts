/** `npm run bench -- NAME [--short] [--commit REF]`: one measurement beside its baseline in the same run, the ratio printed last. */
import { parseArgs } from 'node:util'
import { ensureServices } from '@concord/tools/services'
import { before } from './benches/before.ts'
import { firstContradiction } from './benches/first-contradiction.ts'
import { ingest } from './benches/ingest.ts'
import { pipeline } from './benches/pipeline.ts'
import { reading } from './benches/reading.ts'
import { requests } from './benches/requests.ts'
import type { Bench } from './src/bench.ts'

const benches: readonly Bench[] = [before, firstContradiction, ingest, pipeline, reading, requests]

const print = (line: string) => void process.stdout.write(`${line}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, commit: { type: 'string' } },
})

// A run that is ended or no longer listened to takes the processes that it started for itself.
const giveUp = () => process.exit(3)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, giveUp)
process.stdout.once('error', giveUp)

const chosen = benches.find((bench) => bench.name === positionals[0])
if (!chosen) {
  for (const { name, measures } of benches) print(`${name.padEnd(20)} ${measures}`)
  process.exitCode = 2
} else {
  print(`# ${chosen.name}: ${chosen.measures}`)
  const { short, commit } = values
  await chosen.run({ services: await ensureServices(), short, print, ...(commit && { commit }) })
}
