/**
 * `npm run prove -- NAME [--short] [--sabotage] [--seed N]`; without a name, all proofs one after the other. `--list` names
 * them, `--list --json` for programs.
 * Ends with 1 when a bound was missed, with 3 when a proof threw an error and so showed nothing either way, and with 4 when
 * the bounds that it missed are all of pace or reach, not of what must be exact.
 */
import { inspect, parseArgs } from 'node:util'
import { ensureServices } from '@concord/tools/services'
import { createFigures } from './harness/figures.ts'
import { Skipped } from './harness/proof.ts'
import type { Proof } from './harness/proof.ts'

/** Each is loaded only if it is asked for: all of them together take two seconds of processor time to load. */
const loaders: Readonly<Record<string, () => Promise<Proof>>> = {
  isolation: async () => (await import('./proofs/isolation/proof.ts')).isolation,
  fuzz: async () => (await import('./proofs/fuzz/proof.ts')).fuzz,
  keys: async () => (await import('./proofs/keys/proof.ts')).keys,
  kill: async () => (await import('./proofs/kill/proof.ts')).kill,
  'broker-wipe': async () => (await import('./proofs/broker-wipe/proof.ts')).brokerWipe,
  'power-cut': async () => (await import('./proofs/power-cut/proof.ts')).powerCut,
  'disk-full': async () => (await import('./proofs/disk-full/proof.ts')).diskFull,
  idempotency: async () => (await import('./proofs/idempotency/proof.ts')).idempotency,
  streams: async () => (await import('./proofs/streams/proof.ts')).streams,
  client: async () => (await import('./proofs/client/proof.ts')).client,
  'crash-points': async () => (await import('./proofs/crash-points/proof.ts')).crashPointsProof,
  heavy: async () => (await import('./proofs/heavy/proof.ts')).heavy,
  files: async () => (await import('./proofs/files/proof.ts')).files,
  poison: async () => (await import('./proofs/poison/proof.ts')).poison,
  control: async () => (await import('./proofs/control/proof.ts')).control,
  pause: async () => (await import('./proofs/pause/proof.ts')).pause,
  reset: async () => (await import('./proofs/reset/proof.ts')).reset,
  erasure: async () => (await import('./proofs/erasure/proof.ts')).erasure,
  audit: async () => (await import('./proofs/audit/proof.ts')).audit,
  database: async () => (await import('./proofs/database/proof.ts')).database,
  rolling: async () => (await import('./proofs/rolling/proof.ts')).rolling,
  'busy-scope': async () => (await import('./proofs/busy-scope/proof.ts')).busyScope,
  upkeep: async () => (await import('./proofs/upkeep/proof.ts')).upkeep,
  neighbour: async () => (await import('./proofs/neighbour/proof.ts')).neighbour,
  sse: async () => (await import('./proofs/sse/proof.ts')).sse,
  scaling: async () => (await import('./proofs/scaling/proof.ts')).scaling,
  simulate: async () => (await import('./proofs/simulate/proof.ts')).simulate,
  offsets: async () => (await import('./proofs/offsets/proof.ts')).offsets,
  determinism: async () => (await import('./proofs/determinism/proof.ts')).determinism,
  convergence: async () => (await import('./proofs/convergence/proof.ts')).convergence,
  policy: async () => (await import('./proofs/policy/proof.ts')).policy,
  certificate: async () => (await import('./proofs/certificate/proof.ts')).certificate,
  model: async () => (await import('./proofs/model/proof.ts')).model,
  injection: async () => (await import('./proofs/injection/proof.ts')).injection,
  monotone: async () => (await import('./proofs/monotone/proof.ts')).monotone,
  truth: async () => (await import('./proofs/truth/proof.ts')).truth,
}

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

const load = (names: readonly string[]) =>
  Promise.all(names.flatMap((name) => (loaders[name] ? [loaders[name]()] : [])))

const names = Object.keys(loaders)
const chosen = positionals.length === 0 ? names : names.filter((name) => positionals.includes(name))
if (values.list && values.json) {
  print(JSON.stringify((await load(names)).map((proof) => ({ measuresPace: false, ...proof }))))
} else if (values.list || chosen.length < Math.max(positionals.length, 1)) {
  for (const { name, shows } of await load(names)) print(`${name.padEnd(14)} ${shows}`)
  process.exitCode = values.list ? 0 : 2
} else {
  for (const proof of await load(chosen)) {
    process.exitCode = Math.max(Number(process.exitCode ?? 0), await exitCodeOf(proof))
  }
  // A proof that threw may have left readers behind that retry for ever.
  process.exit()
}
