/**
 * `npm run prove -- NAME [--short] [--sabotage] [--seed N]`; without a name, all proofs one after the other. `--list` names
 * them, `--list --json` for programs.
 * Ends with 1 when a bound was missed, with 3 when a proof threw an error and so showed nothing either way, and with 4 when
 * the bounds that it missed are all of pace or reach, not of what must be exact.
 */
import { inspect, parseArgs } from 'node:util'
import { ensureServices } from '@concord/tools/services'
import { audit } from './proofs/audit/proof.ts'
import { brokerWipe } from './proofs/broker-wipe/proof.ts'
import { client } from './proofs/client/proof.ts'
import { certificate } from './proofs/certificate/proof.ts'
import { control } from './proofs/control/proof.ts'
import { convergence } from './proofs/convergence/proof.ts'
import { crashPointsProof } from './proofs/crash-points/proof.ts'
import { database } from './proofs/database/proof.ts'
import { determinism } from './proofs/determinism/proof.ts'
import { diskFull } from './proofs/disk-full/proof.ts'
import { erasure } from './proofs/erasure/proof.ts'
import { fuzz } from './proofs/fuzz/proof.ts'
import { idempotency } from './proofs/idempotency/proof.ts'
import { isolation } from './proofs/isolation/proof.ts'
import { keys } from './proofs/keys/proof.ts'
import { kill } from './proofs/kill/proof.ts'
import { neighbour } from './proofs/neighbour/proof.ts'
import { offsets } from './proofs/offsets/proof.ts'
import { pause } from './proofs/pause/proof.ts'
import { poison } from './proofs/poison/proof.ts'
import { policy } from './proofs/policy/proof.ts'
import { powerCut } from './proofs/power-cut/proof.ts'
import { reset } from './proofs/reset/proof.ts'
import { rolling } from './proofs/rolling/proof.ts'
import { scaling } from './proofs/scaling/proof.ts'
import { simulate } from './proofs/simulate/proof.ts'
import { sse } from './proofs/sse/proof.ts'
import { streams } from './proofs/streams/proof.ts'
import { createFigures } from './harness/figures.ts'
import { Skipped } from './harness/proof.ts'
import type { Proof } from './harness/proof.ts'

const proofs: readonly Proof[] = [
  isolation,
  fuzz,
  keys,
  kill,
  brokerWipe,
  powerCut,
  diskFull,
  idempotency,
  streams,
  client,
  crashPointsProof,
  poison,
  control,
  pause,
  reset,
  erasure,
  audit,
  database,
  rolling,
  neighbour,
  sse,
  scaling,
  simulate,
  offsets,
  determinism,
  convergence,
  policy,
  certificate,
]

const BOUND_MISSED = 1
const ERRORED = 3
const PACE_MISSED = 4

const print = (line: string) => void process.stdout.write(`${line}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    sabotage: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

async function prove(proof: Proof): Promise<number> {
  const started = performance.now()
  const figures = createFigures(print)
  print(`# ${proof.name}: ${proof.shows} (seed ${values.seed})`)
  if (values.sabotage) print(`# sabotage: ${proof.sabotages}`)
  await proof.run({
    services: await ensureServices(),
    figures,
    short: values.short,
    sabotage: values.sabotage,
    seed: Number(values.seed),
    print,
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  print(
    `# ${proof.name}: ${figures.missed.length === 0 ? 'holds' : `BROKEN (${figures.missed.join(', ')})`} in ${seconds} s`,
  )
  if (figures.missed.length === 0) return 0
  return figures.broken ? BOUND_MISSED : PACE_MISSED
}

/** A proof that the machine cannot run shows nothing, which is no fault of the service; only a short run may end so. */
async function exitCodeOf(proof: Proof): Promise<number> {
  try {
    return await prove(proof)
  } catch (error) {
    if (error instanceof Skipped) {
      print(`# ${proof.name}: skipped: ${error.message}`)
      return values.short && !values.sabotage ? 0 : BOUND_MISSED
    }
    print(`# ${proof.name}: failed with an error: ${inspect(error)}`)
    return ERRORED
  }
}

// The processes that a proof started end with it, whether it is ended or nobody reads its output any more.
const giveUp = () => process.exit(ERRORED)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, giveUp)
process.stdout.once('error', giveUp)

const chosen = positionals.length === 0 ? proofs : proofs.filter((proof) => positionals.includes(proof.name))
if (values.list && values.json) {
  print(JSON.stringify(proofs.map((proof) => ({ measuresPace: false, ...proof }))))
} else if (values.list || chosen.length < Math.max(positionals.length, 1)) {
  for (const { name, shows } of proofs) print(`${name.padEnd(14)} ${shows}`)
  process.exitCode = values.list ? 0 : 2
} else {
  for (const proof of chosen) {
    process.exitCode = Math.max(Number(process.exitCode ?? 0), await exitCodeOf(proof))
  }
  // A proof that threw may have left readers behind that retry for ever.
  process.exit()
}
