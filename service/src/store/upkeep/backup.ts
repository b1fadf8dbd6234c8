/**
 * The statements of backup and restore. They copy whole tables and bypass row-level security, so they need roles that no running
 * process has: for a backup one that may read all rows, for a restore the owner of a database that is not in use yet.
 */
import type { Readable } from 'node:stream'
import { Client, escapeIdentifier } from 'pg'
import { copyIn, copyOut } from '../copy-streams.ts'
import type { CopiedOut } from '../copy-streams.ts'

export type { Client }

/** Makes Postgres print equal values as equal text, whatever the settings of the server or the role are. */
const PLAIN_TEXT = `set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`

export interface StoredTable {
  readonly name: string
  readonly columns: readonly string[]
}

export interface StoredSequence {
  readonly name: string
  /** A string, because it may exceed the range of a number. */
  readonly value: string
}

/** Opens one connection for the whole backup or restore, because a snapshot belongs to one connection. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: 'concord-backup', keepAlive: true })
  // The running statement reports a lost connection. Without a listener, the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Selects the logged tables, with a partitioned table instead of its partitions. The tables that record migrations and functions
 * are excluded, because a restored database writes its own.
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
 * Begins the transaction of a backup. All later statements see one snapshot, and a migration that starts meanwhile fails with a lock
 * timeout. With row security off, Postgres rejects a statement that would silently omit rows.
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
 * Returns a checksum of all rows, independent of their order. Postgres computes it from the stored rows, so it also reveals changes that
 * happened before a file was written or after it was read.
 */
export async function digestTable(client: Client, { name, columns }: StoredTable): Promise<string> {
  const row = `row(${columns.map(escapeIdentifier).join()})::text`
  const { rows } = await client.query<{ digest: string }>(
    `select coalesce(sum(('x' || encode(substr(sha256(convert_to(${row}, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint), 0)::text
         as digest from ${escapeIdentifier(name)}`,
  )
  return rows[0]?.digest ?? ''
}

/**
 * Selects the values of all sequences. They ignore snapshots, so a value that is read after a snapshot began is never
 * behind it.
 */
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

/** Sets the value of a sequence. Its next number is the one after the value, even if the value itself was never assigned. */
export async function setSequence(client: Client, { name, value }: StoredSequence): Promise<void> {
  await client.query('select setval($1::regclass, $2::bigint)', [escapeIdentifier(name), value])
}

export async function selectServerVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return rows[0]?.server_version ?? 'unknown'
}

/** Selects the ids of the master keys that are needed to decrypt and verify the database. */
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

/** Selects one scope key for each master key, to check that the configured master key is the right one. */
export async function selectSampleScopeKeys(client: Client): Promise<BackedUpScopeKey[]> {
  const { rows } = await client.query<BackedUpScopeKey>(
    `select distinct on (master_key_id) tenant_id as "tenantId", scope_id as "scopeId", epoch,
            master_key_id as "masterKeyId", wrapped_key as wrapped
       from scope_keys order by master_key_id`,
  )
  return rows
}

/**
 * Begins the transaction of a restore. The owner bypasses row-level security, and triggers are disabled, because the counts that they
 * maintain are among the restored rows. Returns the tables whose row-level security must be forced again.
 */
export async function beginRestore(client: Client, tables: readonly StoredTable[]): Promise<string[]> {
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

export async function commitRestore(
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

/** Selects the tables that have rows of tenants or of the operator's log. Tables that migrations fill are ignored. */
export async function selectNonEmptyTables(
  client: Client,
  tables: readonly StoredTable[],
): Promise<string[]> {
  const owned = tables.filter(({ name, columns }) => columns.includes('tenant_id') || name === 'kernel_log')
  const filled: string[] = []
  for (const { name } of owned) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const { rowCount } = await client.query(`select from ${escapeIdentifier(name)} limit 1`)
    if (rowCount) filled.push(name)
  }
  return filled
}

/** Empties all tables in one statement, because a table that is referenced by another cannot be truncated alone. */
export async function emptyTables(client: Client, tables: readonly StoredTable[]): Promise<void> {
  await client.query(`truncate ${tables.map(({ name }) => escapeIdentifier(name)).join()}`)
}

export interface Reference {
  readonly from: string
  readonly to: string
}

/** Selects which table references which by foreign keys. */
export async function selectReferences(client: Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select distinct f.relname as "from", t.relname as "to"
       from pg_constraint c join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not f.relispartition and not t.relispartition
        and f.oid <> t.oid`,
  )
  return rows
}

/** Collects planner statistics, so that the first queries after a restore get good plans. */
export async function analyzeTables(client: Client): Promise<void> {
  await client.query('analyze')
}
