/**
 * The audit log under attack: everything that was done stands in it exactly once; and whoever has every right on the
 * database, but not the key, cannot edit, delete, swap, insert or cut without the first bad place being named.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asSuperuser, waitUntil } from '@concord/tools/launch'
import { compareActions, toAction } from './actions.ts'
import { makeHistory } from './history.ts'
import type { History } from './history.ts'
import { disarm, parseExport, storeLog, writeExport } from './log.ts'
import type { AuditLog, Head, Table } from './log.ts'
import { KINDS, tamper } from './tampering.ts'
import type { Tampered } from './tampering.ts'
import { createOperator } from './verifying.ts'
import type { Operator, Verdict } from './verifying.ts'
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { createChance } from '../../harness/chance.ts'
import type { Chance } from '../../harness/chance.ts'

const TAMPERINGS = 500
/** Of those so many in the tables themselves, one command each; the others in exports, many a command. */
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
  const table: Table = { services, databaseName: fleet.deployment.databaseName }
  let earlier: Head | undefined
  const halfway = async () => {
    earlier = await untilChained(table)
  }
  const history = await makeHistory(fleet, { seed, ...size, halfway })
  const anchor = await readAnchor(fleet, history.internals, await untilChained(table))
  const isLogged = await untilLogged(fleet, anchor)
  await retireAll(fleet)
  const operator = createOperator(fleet.deployment.env, run.repository, anchor)
  const log = parseExport(await operator.exportLog())
  reportHistory(run, fleet, history, log, { anchor, isLogged })
  if (!earlier) throw new Error('Nobody looked where the log ended halfway.')
  await disarm(table)
  const plan = planTamperings(log, earlier, createChance(seed))
  const results = [
    ...(await attackTable(operator, table, log, plan.slice(0, size.inTables))),
    ...(await attackExports(operator, log, plan.slice(size.inTables))),
  ]
  reportAttack(run, results)
}

function planTamperings(log: AuditLog, earlier: Head, chance: Chance): Tampered[] {
  return Array.from({ length: TAMPERINGS }, (_, nth) =>
    tamper(KINDS[nth % KINDS.length] ?? 'edit', log, earlier, chance),
  )
}

interface Result {
  /** Undefined where nothing was done: the log must be found whole then. */
  readonly tampered: Tampered | undefined
  readonly verdict: Verdict
}

/** Each is undone by the next. */
async function attackTable(
  operator: Operator,
  table: Table,
  log: AuditLog,
  plan: readonly Tampered[],
): Promise<Result[]> {
  const results: Result[] = []
  for (const tampered of plan) {
    await storeLog(table, tampered.log)
    results.push({ tampered, verdict: await operator.verifyTable() })
  }
  await storeLog(table, log)
  return [...results, { tampered: undefined, verdict: await operator.verifyTable() }]
}

async function attackExports(
  operator: Operator,
  log: AuditLog,
  plan: readonly Tampered[],
): Promise<Result[]> {
  const steps = plan.flatMap((tampered, nth) =>
    nth % CONTROL_EVERY === 0 ? [undefined, tampered] : [tampered],
  )
  const folder = await mkdtemp(join(tmpdir(), 'concord-audit-'))
  const results: Result[] = []
  try {
    while (results.length < steps.length) {
      const batch = steps.slice(results.length, results.length + FILES_A_COMMAND)
      const paths = batch.map((_, nth) => join(folder, `${nth}.jsonl`))
      await Promise.all(batch.map((tampered, nth) => writeExport(paths[nth] ?? '', tampered?.log ?? log)))
      const verdicts = await operator.verifyFiles(paths)
      for (const [nth, tampered] of batch.entries()) {
        const verdict = verdicts[nth]
        if (!verdict) throw new Error('An export was not verified.')
        results.push({ tampered, verdict })
      }
    }
    return results
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function untilChained(table: Table): Promise<Head> {
  await waitUntil(async () => (await countWaiting(table)) === 0, {
    what: 'everything getting its place',
    withinMs: 30_000,
  })
  return readHead(table)
}

async function countWaiting({ services, databaseName }: Table): Promise<number> {
  return asSuperuser(
    services,
    async (client) => (await client.query('select from audit_log where seq is null')).rowCount ?? 0,
    databaseName,
  )
}

async function readHead({ services, databaseName }: Table): Promise<Head> {
  return asSuperuser(
    services,
    async (client) => {
      const { rows } = await client.query<Head>(
        `select 'head' as kind, seq::int, encode(chain_mac, 'hex') as chain_mac, mac_key, encode(mac, 'hex') as mac
           from audit_head`,
      )
      return rows[0] ?? Promise.reject(new Error('The log has no head.'))
    },
    databaseName,
  )
}

interface Health {
  readonly audit: { readonly seq: number; readonly head: string; readonly unchained: number } | null
}

/**
 * From the health of the kernel, which looks about once a second and so may still speak of an earlier end: once it
 * names this one, or as it is when the patience is over.
 */
async function readAnchor(fleet: Fleet, internals: string, { seq, chain_mac }: Head): Promise<string> {
  let anchor = 'none'
  const ask = async () => {
    const answer = await fetch(`${fleet.urls()[0] ?? ''}/internals/kernel/health`, {
      headers: { authorization: `Bearer ${internals}` },
    })
    const { audit: found } = (await answer.json()) as Health
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
  const roles = ['api', 'dispatcher', 'worker'] as const
  await Promise.all(roles.flatMap((role) => fleet.members(role).map((member) => member.retire())))
}

function reportHistory(
  { figures, print, short }: ProofRun,
  fleet: Fleet,
  { made, divergences }: History,
  { entries, head }: AuditLog,
  { anchor, isLogged }: { readonly anchor: string; readonly isLogged: boolean },
): void {
  figures.atLeast('control actions made', made.length, short ? 200 : 1_000)
  const { missing, extra } = compareActions(made, entries.map(toAction))
  figures.exactly('control actions that are missing in the log', missing.length, 0)
  figures.exactly('entries of what nobody did, or twice', extra.length, 0)
  for (const each of [...missing, ...extra].slice(0, 5)) print(`  ${each}`)
  figures.exactly('answers that were not as the table says', divergences.length, 0)
  for (const each of divergences.slice(0, 5)) print(`  ${each}`)
  figures.exactly('ends of the chain that no log named', isLogged ? 0 : 1, 0)
  const anchored = `${head.seq}:${head.chain_mac}` === anchor
  figures.exactly('ends of the chain that health did not name', anchored ? 0 : 1, 0)
  figures.exactly('exits of processes', fleet.unaskedExits.length, 0)
}

function reportAttack({ figures, print }: ProofRun, results: readonly Result[]): void {
  const attacks = results.filter((result) => result.tampered)
  const unnoticed = attacks.filter(({ verdict }) => verdict.fault === null)
  const misplaced = attacks.filter(
    ({ tampered, verdict }) => verdict.fault !== null && verdict.fault.index !== tampered?.index,
  )
  const alarms = results.filter(({ tampered, verdict }) => !tampered && verdict.fault !== null)
  figures.exactly('logs tampered with', attacks.length, TAMPERINGS)
  figures.exactly('detected', attacks.length - unnoticed.length, TAMPERINGS)
  figures.exactly('detected at another place than the first bad one', misplaced.length, 0)
  for (const { tampered, verdict } of [...unnoticed, ...misplaced].slice(0, 5))
    print(
      `  ${tampered?.kind} ${tampered?.what}: ${verdict.fault ? `${verdict.fault.kind} at ${verdict.fault.index}` : 'nothing'}, not ${tampered?.index}`,
    )
  for (const kind of KINDS)
    figures.note(`of these, ${kind}`, attacks.filter(({ tampered }) => tampered?.kind === kind).length)
  figures.note('logs left alone', results.length - attacks.length)
  figures.exactly('false alarms', alarms.length, 0)
}
