/**
 * Runs migrations: numbered plain SQL, forward only. An advisory lock lets one process migrate at a time. Each migration and the row
 * that records it are one transaction, so a race or a crash leaves no half-applied schema.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'
import type { Pool } from 'pg'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
  /** True if code that does not know this migration cannot run on the resulting schema. */
  readonly breaking: boolean
}

export interface AppliedMigration {
  readonly version: number
  readonly name: string
  readonly checksum: string
  readonly breaking: boolean
}

const FOLDER = new URL('../../../migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/
/** The key of the advisory lock. It is arbitrary, but must not change. */
const LOCK = 4_026_531_840

const CREATE_HISTORY = `create table if not exists schema_migrations (
  version    integer primary key,
  name       text not null,
  checksum   text not null,
  breaking   boolean not null,
  applied_at timestamptz not null default now()
);
grant select on schema_migrations to concord_api, concord_worker, concord_registrar`

export async function readMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(files.map((file) => readMigration(folder, file)))
  requireRising(migrations)
  return migrations
}

/** Applies the missing migrations and returns them. It is idempotent. */
export async function migrate(ownerUrl: string, migrations: readonly Migration[]): Promise<Migration[]> {
  return withSchemaLock(ownerUrl, async (client) => {
    await requireRoles(client)
    await client.query(CREATE_HISTORY)
    const applied = await selectApplied(client)
    verifyHistory(applied, migrations)
    const missing = migrations.filter(({ version }) => !applied.some((each) => each.version === version))
    for (const migration of missing) {
      // oxlint-disable-next-line no-await-in-loop -- in order, each on the schema the one before left
      await apply(client, migration)
    }
    return missing
  })
}

/** Runs the work as the owner of the tables, while no other process changes the schema. */
export async function withSchemaLock<Result>(
  ownerUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'concord-migrate' })
  // The running statement reports a lost connection. Without a listener, the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Selects the applied migrations. Returns none if no migration has ever run. */
export async function selectApplied(database: Client | Pool): Promise<AppliedMigration[]> {
  const ledger = await database.query(`select where to_regclass('public.schema_migrations') is not null`)
  if (ledger.rowCount === 0) return []
  const { rows } = await database.query<AppliedMigration>(
    'select version, name, checksum, breaking from schema_migrations order by version',
  )
  return rows
}

async function readMigration(folder: URL, file: string): Promise<Migration> {
  const [, digits, name] = FILE_NAME.exec(file) ?? []
  const version = Number(digits)
  if (!name || version === 0)
    throw new Error(`Migration ${file} is misnamed: give it a number from 0001 on, as in 0001_name.sql`)
  const sql = await readFile(new URL(file, folder), 'utf8')
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { version, name, sql, checksum, breaking: sql.startsWith('-- breaking') }
}

/** Checks that the numbers rise. A number may be missing, because branches that are written at the same time reserve theirs. */
function requireRising(migrations: readonly Migration[]): void {
  const twice = migrations.find(({ version }, at) => at > 0 && migrations[at - 1]?.version === version)
  if (!twice) return
  const digits = String(twice.version).padStart(4, '0')
  throw new Error(`Two migrations are named ${digits}; give ${digits}_${twice.name}.sql a number of its own`)
}

/** Checks that the roles exist. Roles belong to the server, not to a database, so its administrator creates them once. */
async function requireRoles(client: Client): Promise<void> {
  const wanted = ['concord_api', 'concord_worker', 'concord_registrar', 'concord_kernel']
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1)',
    [wanted],
  )
  const missing = wanted.filter((role) => !rows.some((row) => row.rolname === role))
  if (missing.length > 0)
    throw new Error(
      `Roles ${missing.join(', ')} do not exist; run service/roles.sql once as the administrator of Postgres`,
    )
}

function verifyHistory(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  for (const { version, checksum, name } of applied) {
    const known = migrations.find((each) => each.version === version)
    if (known && known.checksum !== checksum)
      throw new Error(
        `Migration ${version} (${name}) was changed after it ran; put it back and add a new one`,
      )
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    // A migration that waits for a lock blocks every later statement too, so it fails early and can be repeated.
    await client.query(`begin; set local lock_timeout = '2s'`)
    await client.query(migration.sql)
    await client.query(
      'insert into schema_migrations (version, name, checksum, breaking) values ($1, $2, $3, $4)',
      [migration.version, migration.name, migration.checksum, migration.breaking],
    )
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(`Migration ${migration.version} (${migration.name}) failed and changed nothing`, {
      cause,
    })
  }
}
