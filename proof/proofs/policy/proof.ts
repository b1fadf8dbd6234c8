/**
 * Policies decide as their authors wrote: a table of situations with who decides each, random permits that open nothing that
 * is forbidden, changes that hold for the very next document on every process, and what one decision takes.
 */
import { withFleet } from '../../harness/fleet.ts'
import type { Fleet } from '../../harness/fleet.ts'
import { poll } from '../../harness/loop.ts'
import { createRootKey } from '../../harness/places.ts'
import { change, openGround, warmUp } from './changes.ts'
import type { PolicyChange } from './changes.ts'
import { randomPermits } from './permits.ts'
import { POLICY_SABOTAGES } from './sabotage.ts'
import { answersTo, readTables, wrongAmong } from './tables.ts'
import type { PolicyTable } from './tables.ts'
import { defineProof } from '../../harness/proof.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { readSnapshot } from '../../harness/sights.ts'
import { seededRandom, sum } from '../../harness/statistics.ts'

const FULL = { rounds: 20, changes: 100, times: 1_000 }
const SHORT = { rounds: 2, changes: 8, times: 150 }
const SITUATIONS = 60
/** One after the other: a change of policies is no question of many starting at once. */
const STARTED = ['api', 'api', 'dispatcher', 'worker', 'worker'] as const
const WORKERS = STARTED.filter((role) => role === 'worker').length
const NOBODY = { api: 0, dispatcher: 0, worker: 0 }
/** So that a handful of documents needs both workers. */
const ENV = { WORKER_CAPACITY: '4' }
const DOCUMENTS = 20
/** Beside the policies of the tenant, and as many beside those of the scope. */
const PERMITS = 30
const MAX_DELAY_MS = 1_000
const MAX_DECISION_MS = 1

type Run = ProofRun<typeof FULL>

export const policy = defineProof({
  name: 'policy',
  shows:
    'policies decide as written, nothing outweighs one that forbids, and a change holds for the next document everywhere',
  sabotages: 'of what ships only permits are asked, and a worker goes on with the policies that it remembers',
  sizes: { full: FULL, short: SHORT },
  mutations: POLICY_SABOTAGES,
  prove,
})

async function prove(run: Run): Promise<void> {
  await withFleet(run, { sizes: NOBODY, env: ENV }, async (fleet) => {
    const tables = await readTables()
    await proveTables(run, fleet, tables)
    await provePermits(run, fleet, tables)
    for (const role of STARTED) await fleet.enlist(role, 1)
    await proveChanges(run, fleet)
    run.figures.exactly('processes that ended unasked', fleet.unaskedExits.length, 0)
  })
}

async function proveTables(
  { figures, size }: Run,
  { deployment }: Fleet,
  tables: readonly PolicyTable[],
): Promise<void> {
  const { times } = size
  const wrong: string[] = []
  const p99: number[] = []
  for (const table of tables) {
    const answers = await answersTo(deployment, table, '--times', String(times))
    wrong.push(...wrongAmong(table.situations, answers).map((words) => `${table.name}: ${words}`))
    p99.push(...answers.map((answer) => answer.p99_ms ?? Number.POSITIVE_INFINITY))
  }
  figures.atLeast('situations', sum(tables.map(({ situations }) => situations.length)), SITUATIONS)
  figures.none('decided otherwise, or by others, than the table says', wrong)
  figures.atMost(
    `processor time of a decision where it takes longest (p99 of ${times}, not remembered)`,
    Math.max(...p99),
    MAX_DECISION_MS,
    ' ms',
  )
}

/** Only what nothing permits may be opened; and some of it is, or the permits would show nothing. */
async function provePermits(
  { figures, size, seed }: Run,
  { deployment }: Fleet,
  tables: readonly PolicyTable[],
): Promise<void> {
  const { rounds } = size
  const random = seededRandom(seed)
  const changed: string[] = []
  let asked = 0
  let opened = 0
  for (let round = 0; round < rounds; round += 1)
    for (const table of tables) {
      const denied = table.situations.filter(({ expect }) => expect === 'deny')
      const tenant = `${table.tenant}\n${randomPermits(random, PERMITS)}`
      const scope = `${table.scope}\n${randomPermits(random, PERMITS)}`
      const answers = await answersTo(deployment, { ...table, tenant, scope, situations: denied })
      const isForbidden = (_: unknown, index: number) => (denied[index]?.policies.length ?? 0) > 0
      const forbidden = denied.filter(isForbidden)
      const others = answers.filter((_, index) => !isForbidden(_, index))
      changed.push(...wrongAmong(forbidden, answers.filter(isForbidden)))
      asked += forbidden.length
      opened += others.filter(({ decision }) => decision === 'allow').length
    }
  figures.atLeast('forbidden situations asked with random permits', asked, rounds * tables.length)
  figures.none('of them allowed, or decided by others', changed)
  figures.atLeast('situations that the permits opened, as nothing forbids them', opened, 1)
}

async function proveChanges(run: Run, fleet: Fleet): Promise<void> {
  const { figures, size } = run
  const ground = await openGround(fleet)
  await warmUp(ground, DOCUMENTS)
  const made: PolicyChange[] = []
  for (let round = 0; round < size.changes; round += 1) made.push(await change(ground, round, DOCUMENTS))
  figures.note('changes of policies', made.length)
  const sent = sum(made.map(({ documents }) => documents))
  figures.exactly('documents sent after them', sent, made.length * DOCUMENTS)
  figures.exactly('of them held or read against the new policies', sum(made.map(({ astray }) => astray)), 0)
  figures.exactly('of them decided by another set', sum(made.map(({ ofOthers }) => ofOthers)), 0)
  figures.atMost(
    'from the answer to the first decision by it, slowest change',
    Math.max(...made.map(({ delayMs }) => delayMs)),
    MAX_DELAY_MS,
    ' ms',
  )
  figures.atLeast('workers that decided', await workersThatDecided(fleet), WORKERS)
}

async function workersThatDecided(fleet: Fleet): Promise<number> {
  const key = await createRootKey(fleet, 'internals')
  const count = async () => {
    const { workers } = await readSnapshot(fleet.url(), key)
    return workers.filter(({ role, processed }) => role === 'worker' && processed > 0).length
  }
  // They tell it every few seconds.
  return poll(count, { until: (workers) => workers >= WORKERS, withinMs: 10_000 })
}
