/**
 * Statements of backup and restore: every table as a whole, past row-level security. Nobody's, and of two roles that no running
 * process has: one that may read all rows, and the owner in a database that nobody uses yet.
 */
import type { Readable } from 'node:stream'
import { Client, escapeIdentifier } from 'pg'
import { copyIn, copyOut } from '../copy-streams.ts'
import type { CopiedOut } from '../copy-streams.ts'

export type { Client }

/** The same text for the same value, whatever a server or a role is set to. */
const PLAIN_TEXT = `set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`

export interface StoredTable {
  readonly name: string
  readonly columns: readonly string[]
}

export interface StoredSequence {
  readonly name: string
  /** Kept as text: it may be beyond what a number holds. */
  readonly value: string
}

/** One connection for all of it: a snapshot belongs to one. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: 'concord-backup', keepAlive: true })
  // The loss is reported by the statement that was running; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Tables whose rows outlive a crash, parents instead of their partitions. The ledgers of migrations and functions are not among
 * them: a restored database writes its own.
 */
export async function selectStoredTables(client: Client): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select c.relname as name,
            (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relpersistence = 'p' and c.relname not in ('schema_migrations', 'schema_functions')
      order by c.relname`,
  )
  return rows
}

/**
 * From here on all is of one moment, and a migration that came meanwhile would give up. With row security off Postgres refuses
 * to leave out rows in silence.
 */
export async function beginSnapshot(client: Client, tables: readonly StoredTable[]): Promise<void> {
  await client.query('begin transaction isolation level repeatable read read only')
  await client.query(`set local row_security = off; ${PLAIN_TEXT}`)
  const names = ['schema_migrations', ...tables.map(({ name }) => name)]
  await client.query(`lock table ${names.map(escapeIdentifier).join()} in access share mode`)
}

export function copyTableOut(client: Client, { name, columns }: StoredTable): CopiedOut {
  const list = columns.map(escapeIdentifier).join()
  return copyOut(client, `copy (select ${list} from ${escapeIdentifier(name)}) to stdout`)
}

export async function copyTableIn(
  client: Client,
  { name, columns }: StoredTable,
  input: Readable,
): Promise<number> {
  const list = columns.map(escapeIdentifier).join()
  return copyIn(client, `copy ${escapeIdentifier(name)} (${list}) from stdin`, input)
}

/**
 * A number that stands for all rows in any order, computed by Postgres from what it holds: what was changed on the way out or
 * in shows, also where the files are as they were written.
 */
export async function digestTable(client: Client, { name, columns }: StoredTable): Promise<string> {
  const row = `row(${columns.map(escapeIdentifier).join()})::text`
  const { rows } = await client.query<{ digest: string }>(
    `select coalesce(sum(('x' || encode(substr(sha256(convert_to(${row}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint), 0)::text
         as digest from ${escapeIdentifier(name)}`,
  )
  return rows[0]?.digest ?? ''
}

/** Sequences keep to no snapshot: what is read after one was taken is never behind it. */
export async function selectSequences(client: Client): Promise<StoredSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  )
  const found: StoredSequence[] = []
  for (const { name } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const { rows: values } = await client.query<{ value: string }>(
      `select last_value::text as value from ${escapeIdentifier(name)}`,
    )
    found.push({ name, value: values[0]?.value ?? '1' })
  }
  return found
}

/** The next number is the one after it, whether or not it was ever given out. */
export async function setSequence(client: Client, { name, value }: StoredSequence): Promise<void> {
  await client.query('select setval($1::regclass, $2::bigint)', [escapeIdentifier(name), value])
}

export async function selectServerVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return rows[0]?.server_version ?? 'unknown'
}

/** Those without which something in the database can no longer be opened or verified. */
export async function selectNeededMasterKeys(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select master_key_id as id from scope_keys
     union select mac_key from audit_log
     union select chain_key from audit_log where chain_key is not null
     union select mac_key from audit_head where mac_key is not null
     order by 1`,
  )
  return rows.map(({ id }) => id)
}

export interface BackedUpScopeKey {
  readonly tenantId: string
  readonly scopeId: string
  readonly epoch: number
  readonly masterKeyId: string
  readonly wrapped: Buffer
}

/** One for each master key, to try whether that is the right one. */
export async function selectSampleScopeKeys(client: Client): Promise<BackedUpScopeKey[]> {
  const { rows } = await client.query<BackedUpScopeKey>(
    `select distinct on (master_key_id) tenant_id as "tenantId", scope_id as "scopeId", epoch,
            master_key_id as "masterKeyId", wrapped_key as wrapped
       from scope_keys order by master_key_id`,
  )
  return rows
}

/**
 * The owner alone on all tables, past row-level security and without triggers, until the end of the transaction: what they
 * would count is among the rows that come. Returns what must be closed again.
 */
export async function beginFilling(client: Client, tables: readonly StoredTable[]): Promise<string[]> {
  await client.query(`begin; set local lock_timeout = '10s'; ${PLAIN_TEXT}`)
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relforcerowsecurity and relname = any($1)`,
    [tables.map(({ name }) => name)],
  )
  for (const { name } of tables)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await client.query(`alter table ${escapeIdentifier(name)} disable trigger user`)
  const forced = rows.map(({ name }) => name)
  for (const name of forced)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await client.query(`alter table ${escapeIdentifier(name)} no force row level security`)
  return forced
}

export async function commitFilling(
  client: Client,
  tables: readonly StoredTable[],
  forced: readonly string[],
): Promise<void> {
  for (const { name } of tables)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await client.query(`alter table ${escapeIdentifier(name)} enable trigger user`)
  for (const name of forced)
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await client.query(`alter table ${escapeIdentifier(name)} force row level security`)
  await client.query('commit')
}

/** The names of tables that hold rows of somebody; those that migrations fill themselves are nobody's. */
export async function selectFilledTables(client: Client, tables: readonly StoredTable[]): Promise<string[]> {
  const owned = tables.filter(({ name, columns }) => columns.includes('tenant_id') || name === 'kernel_log')
  const filled: string[] = []
  for (const { name } of owned) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const { rowCount } = await client.query(`select from ${escapeIdentifier(name)} limit 1`)
    if (rowCount) filled.push(name)
  }
  return filled
}

/** All at once: one that others refer to cannot be emptied alone. */
export async function emptyTables(client: Client, tables: readonly StoredTable[]): Promise<void> {
  await client.query(`truncate ${tables.map(({ name }) => escapeIdentifier(name)).join()}`)
}

export interface Reference {
  readonly from: string
  readonly to: string
}

/** Which table refers to which, by foreign keys. */
export async function selectReferences(client: Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select distinct f.relname as "from", t.relname as "to"
       from pg_constraint c join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not f.relispartition and not t.relispartition
        and f.oid <> t.oid`,
  )
  return rows
}

/** Without it the first plans after a restore are made blindly. */
export async function gatherStatistics(client: Client): Promise<void> {
  await client.query('analyze')
}
