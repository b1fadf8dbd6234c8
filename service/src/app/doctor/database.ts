/** Checks Postgres as one of the database roles. */
import { failed, judgeClock, judgeDurability, judgePostgres, judgeSchema, ok } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'
import { selectInstalled } from '../../store/schema/functions.ts'
import type { InstalledFunction } from '../../store/schema/functions.ts'
import { selectApplied } from '../../store/schema/migrations.ts'
import type { AppliedMigration } from '../../store/schema/migrations.ts'
import { hasRoomToWrite, pingDatabase } from '../../store/ping.ts'
import type { Pool, Pools } from '../../store/pools.ts'
import { findSchemaMismatch, findUnsafeSettings } from '../../store/schema/self-check.ts'
import type { ReleaseSchema } from '../../store/schema/self-check.ts'
import { selectClock, selectServerFacts } from '../../store/server-facts.ts'
import { attempt } from './attempt.ts'

const VARIABLES = { api: 'DATABASE_URL', worker: 'WORKER_DATABASE_URL' }
const PINGS = 5
const SHOWN = 3

/** With `whole` it also checks everything that does not depend on the role. */
export async function checkDatabase(
  role: 'api' | 'worker',
  pools: Pools,
  release: ReleaseSchema,
  { whole }: { readonly whole: boolean },
): Promise<Check[]> {
  const name = `postgres (${role})`
  const advice = `see that Postgres runs, and that ${VARIABLES[role]} leads there with the right role and password`
  return attempt(name, advice, async () => {
    const facts = await selectServerFacts(pools.tenant)
    const applied = await selectApplied(pools.tenant)
    return [
      judgePostgres(name, facts, await measureLatency(pools.tenant)),
      ...(await checkRole(role, pools, applied)),
      ...(whole ? [judgeDurability(facts)] : []),
      ...(whole ? [judgeSchema(schemaFacts(applied, await selectInstalled(pools.tenant), release))] : []),
      ...(whole ? await checkRoom(pools.tenant) : []),
      ...(whole ? [await compareClocks(pools.tenant)] : []),
    ]
  })
}

/** Returns the median, so that the first ping, which may open a connection, does not count. */
async function measureLatency(pool: Pool): Promise<number> {
  const times: number[] = []
  for (let ping = 0; ping < PINGS; ping += 1) {
    const start = performance.now()
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as a request would
    await pingDatabase(pool)
    times.push(performance.now() - start)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0
}

/** Runs the self-check of a starting process, without the schema, which is a check of its own. */
async function checkRole(
  role: string,
  { tenant, kernel }: Pools,
  applied: readonly AppliedMigration[],
): Promise<Check[]> {
  const name = `isolation (${role})`
  return attempt(name, 'run service/roles.sql as the administrator of Postgres', async () => {
    const asKnown = applied.map((each) => ({ ...each, sql: '' }))
    const faults = await findUnsafeSettings(tenant, { migrations: asKnown, functions: [] })
    if (faults.length > 0) {
      const more = faults.length > SHOWN ? `; and ${faults.length - SHOWN} more` : ''
      const advice = 'no process starts like this: one tenant could see another'
      return [failed(name, faults.slice(0, SHOWN).join('; ') + more, advice)]
    }
    // Fails if the role may not switch to the kernel role.
    await pingDatabase(kernel)
    return [ok(name, 'row-level security holds for the role, and every table of tenants is protected')]
  })
}

function schemaFacts(
  applied: readonly AppliedMigration[],
  installed: readonly InstalledFunction[],
  { migrations, functions }: ReleaseSchema,
) {
  const checksums = new Map(installed.map(({ name, checksum }) => [name, checksum]))
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  return {
    applied: applied.length,
    expected: migrations.length,
    mismatches: findSchemaMismatch(applied, migrations),
    unknown: applied.filter(({ version }) => !known.has(version)).length,
    changed: applied
      .filter(({ version, checksum }) => (known.get(version)?.checksum ?? checksum) !== checksum)
      .map(({ version, name }) => `migration ${version} (${name})`),
    otherFunctions: functions
      .filter(({ name, checksum }) => checksums.get(name) !== checksum)
      .map(({ name }) => name),
  }
}

async function checkRoom(pool: Pool): Promise<Check[]> {
  const advice = 'make room on the volume of Postgres: it refuses what is written'
  return attempt('room', advice, async () => [
    (await hasRoomToWrite(pool))
      ? ok('room', 'Postgres can write to its disk')
      : failed('room', 'the disk of Postgres is full', advice),
  ])
}

async function compareClocks(pool: Pool): Promise<Check> {
  const sent = Date.now()
  const theirs = await selectClock(pool)
  const received = Date.now()
  return judgeClock(theirs - (sent + received) / 2, (received - sent) / 2)
}
