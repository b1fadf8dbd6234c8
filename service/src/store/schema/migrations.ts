/**
 * Migrations: numbered plain SQL, forward only. They run one at a time under an advisory lock, each in its own
 * transaction together with the row that records it, so a race or a crash leaves no half-applied schema.
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
  /** Code that does not know this migration cannot run on the schema it leaves. */
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
/** Any number will do, as long as it is always the same one. */
const LOCK = 4_026_531_840

const LEDGER = `create table if not exists schema_migrations (
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

/** Applies what is missing and returns it; calling it again applies nothing. */
export async function migrate(ownerUrl: string, migrations: readonly Migration[]): Promise<Migration[]> {
  return withSchemaLock(ownerUrl, async (client) => {
    await requireRoles(client)
    await client.query(LEDGER)
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

/** Does it as the owner of the tables, while nobody else changes the schema. */
export async function withSchemaLock<Result>(
  ownerUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'concord-migrate' })
  // The loss is reported by the statement that was running; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Nothing, where no migration has ever run. */
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

/** A number may be left out: branches that are written at the same time take theirs beforehand. */
function requireRising(migrations: readonly Migration[]): void {
  const twice = migrations.find(({ version }, at) => at > 0 && migrations[at - 1]?.version === version)
  if (!twice) return
  const digits = String(twice.version).padStart(4, '0')
  throw new Error(`Two migrations are named ${digits}; give ${digits}_${twice.name}.sql a number of its own`)
}

/** Roles belong to the whole server, not to one database, so they are made once by whoever runs the server. */
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
    // A migration that waits for a lock makes everybody behind it wait too; better to fail and try again.
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
