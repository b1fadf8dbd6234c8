/**
 * The audit log under attack: everything that was done stands in it exactly once; and whoever has every right on the
 * database, but not the key, cannot edit, delete, swap, insert or cut without the first bad place being named.
 */
import { join } from 'node:path'
import { waitUntil, withFolder } from '@concord/tools/launch'
import { toAction } from './actions.ts'
import { makeHistory } from './history.ts'
import { openTable, parseExport, writeExport } from './log.ts'
import type { AuditLog, Head, AuditTable } from './log.ts'
import { KINDS, tamper } from './tampering.ts'
import type { Tampered } from './tampering.ts'
import { runConcord } from '../../harness/command.ts'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { requestJson } from '../../harness/http.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { rewriteValue } from '../../harness/mutation/changes.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { createChance } from '../../harness/chance.ts'
import { surplus } from '../../harness/surplus.ts'

const TAMPERINGS = 500
/** This many forgeries are made in the tables, one command each; the others in exports, many a command. */
const FULL = { sequences: 40, keys: 100, inTables: 100 }
const SHORT = { sequences: 4, keys: 20, inTables: 10 }
const FILES_A_COMMAND = 100
/** A log that was not touched must not be called broken. */
const CONTROL_EVERY = 50

export const UNBOUND: Mutation = {
  name: 'a link of the chain is bound to nothing before it',
  at: 'audit.link',
  change: rewriteValue((link) => link.replace(/\[.*, (\w+)\]/, '[$1]')),
}

type Run = ProofRun<typeof FULL>

export const audit = defineProof({
  name: 'audit',
  shows:
    'everything done is in the audit log exactly once, and no edit, deletion, swap, insertion or cut goes unnoticed',
  sabotages: 'a link of the chain is bound to nothing before it',
  sizes: { full: FULL, short: SHORT },
  mutations: [UNBOUND],
  prove: (run) =>
    // No worker: what is done to documents does not wait for them to be read.
    withFleet(run, { sizes: { api: 2, dispatcher: 2, worker: 0 } }, (fleet) => attack(run, fleet)),
})

async function attack(run: Run, fleet: Fleet): Promise<void> {
  const { services, seed, size } = run
  const table = openTable(services, fleet.deployment.databaseName)
  const heads: Head[] = []
  const halfway = async () => void heads.push(await untilChained(table))
  const history = await makeHistory(fleet, { seed, ...size, halfway })
  const [earlier] = heads
  if (!earlier) throw new Error('Nobody looked where the log ended halfway.')
  const anchor = await readAnchor(fleet, history.internals, await untilChained(table))
  const isLogged = await untilLogged(fleet, anchor)
  await retireAll(fleet)
  const operator = createOperator(run, fleet, anchor)
  const log = parseExport(await operator.exportLog())
  reportHistory(run, fleet, history, log, { anchor, isLogged })
  await table.disarm()
  const chance = createChance(seed)
  const plan = Array.from({ length: TAMPERINGS }, (_, nth) =>
    tamper(KINDS[nth % KINDS.length] ?? 'edit', log, earlier, chance),
  )
  const results = [
    ...(await attackTable(operator, table, log, plan.slice(0, size.inTables))),
    ...(await attackExports(operator, log, plan.slice(size.inTables))),
  ]
  reportAttack(run, results)
}

interface Verdict {
  readonly fault: { readonly index: number; readonly kind: string } | null
}

type Operator = ReturnType<typeof createOperator>

/** `concord audit` as an operator runs it: 1 says that the log is not whole. */
function createOperator({ repository }: Run, { deployment }: Fleet, anchor: string) {
  const run = async (...args: string[]) =>
    (await runConcord({ repository, env: deployment.env, codes: [0, 1] }, 'audit', ...args)).stdout
  const verify = ['verify', '--json', '--anchor', anchor]
  return {
    exportLog: () => run('export'),
    verifyTable: async () => JSON.parse(await run(...verify)) as Verdict,
    /** One verdict a file, in order. */
    verifyFiles: async (paths: readonly string[]) =>
      JSON.parse(await run(...verify, '--file', ...paths)) as readonly Verdict[],
  }
}

interface Result extends Verdict {
  /** Undefined where nothing was done: the log must be found whole then. */
  readonly tampered: Tampered | undefined
}

/** Each is undone by the next. */
async function attackTable(
  operator: Operator,
  table: AuditTable,
  log: AuditLog,
  plan: readonly Tampered[],
): Promise<Result[]> {
  const results: Result[] = []
  for (const tampered of [...plan, undefined]) {
    await table.store(tampered?.log ?? log)
    results.push({ tampered, ...(await operator.verifyTable()) })
  }
  return results
}

async function attackExports(
  operator: Operator,
  log: AuditLog,
  plan: readonly Tampered[],
): Promise<Result[]> {
  const steps = plan.flatMap((tampered, nth) =>
    nth % CONTROL_EVERY === 0 ? [undefined, tampered] : [tampered],
  )
  return withFolder('audit', async (folder) => {
    const results: Result[] = []
    while (results.length < steps.length) {
      const batch = steps.slice(results.length, results.length + FILES_A_COMMAND)
      const paths = batch.map((_, nth) => join(folder, `${nth}.jsonl`))
      await Promise.all(batch.map((tampered, nth) => writeExport(paths[nth] ?? '', tampered?.log ?? log)))
      const verdicts = await operator.verifyFiles(paths)
      if (verdicts.length !== batch.length) throw new Error('An export was not verified.')
      results.push(...verdicts.map(({ fault }, nth) => ({ tampered: batch[nth], fault })))
    }
    return results
  })
}

async function untilChained(table: AuditTable): Promise<Head> {
  const isChained = async () => (await table.countUnchained()) === 0
  await waitUntil(isChained, { what: 'everything getting its place', withinMs: 30_000 })
  return table.readHead()
}

interface Health {
  readonly audit: { readonly seq: number; readonly head: string } | null
}

/**
 * From the health of the kernel, which looks about once a second and so may still speak of an earlier end: once it
 * names this one, or as it is when the time is over.
 */
async function readAnchor(fleet: Fleet, internals: string, { seq, chain_mac }: Head): Promise<string> {
  const request = { path: '/internals/kernel/health', bearer: internals }
  let anchor = 'none'
  const ask = async () => {
    const { audit: found } = await requestJson<Health>(fleet.url(), request)
    if (found) anchor = `${found.seq}:${found.head}`
    return anchor === `${seq}:${chain_mac}`
  }
  await waitUntil(ask, { what: 'health naming the end of the chain', withinMs: 30_000 }).catch(() => false)
  return anchor
}

/** A dispatcher says so at most every five seconds. */
async function untilLogged(fleet: Fleet, anchor: string): Promise<boolean> {
  const [seq, head] = anchor.split(':')
  const said = `"audit_seq":${seq},"audit_head":"${head}"`
  return waitUntil(() => fleet.deployment.output().includes(said), {
    what: 'the log naming the end of the chain',
    withinMs: 15_000,
  }).catch(() => false)
}

async function retireAll(fleet: Fleet): Promise<void> {
  await Promise.all(fleet.members().map((member) => member.retire()))
}

function reportHistory(
  { figures, short }: Run,
  { unaskedExits }: Fleet,
  { made, divergences }: Awaited<ReturnType<typeof makeHistory>>,
  { entries, head }: AuditLog,
  { anchor, isLogged }: { readonly anchor: string; readonly isLogged: boolean },
): void {
  const told = entries.map(toAction)
  const isAnchored = `${head.seq}:${head.chain_mac}` === anchor
  figures.atLeast('control actions made', made.length, short ? 200 : 1_000)
  figures.none('control actions that are missing in the log', surplus(made, told))
  figures.none('entries of what nobody did, or twice', surplus(told, made))
  figures.none('answers that were not as the table says', divergences)
  figures.exactly('ends of the chain that no log named', isLogged ? 0 : 1, 0)
  figures.exactly('ends of the chain that health did not name', isAnchored ? 0 : 1, 0)
  figures.exactly('exits of processes', unaskedExits.length, 0)
}

function reportAttack({ figures, print }: Run, results: readonly Result[]): void {
  const attacks = results.flatMap(({ tampered, fault }) => (tampered ? [{ ...tampered, fault }] : []))
  const unnoticed = attacks.filter(({ fault }) => fault === null)
  const misplaced = attacks.filter(({ fault, index }) => fault !== null && fault.index !== index)
  const alarms = results.filter(({ tampered, fault }) => !tampered && fault !== null)
  figures.exactly('logs tampered with', attacks.length, TAMPERINGS)
  figures.exactly('detected', attacks.length - unnoticed.length, TAMPERINGS)
  for (const { kind, what } of unnoticed.slice(0, 5)) print(`  unnoticed: ${kind} ${what}`)
  figures.none(
    'detected at another place than the first bad one',
    misplaced.map(({ kind, what, index, fault }) => `${kind} ${what}: at ${fault?.index}, not ${index}`),
  )
  for (const each of KINDS)
    figures.note(`of these, ${each}`, attacks.filter(({ kind }) => kind === each).length)
  figures.note('logs left alone', results.length - attacks.length)
  figures.exactly('false alarms', alarms.length, 0)
}
