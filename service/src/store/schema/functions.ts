/**
 * Installs SQL functions and triggers. Each has one file in `service/sql/functions`. Files that changed are installed again after the
 * migrations, all in one transaction. A function whose file was removed stays until a migration drops it, so that processes of the
 * previous release can still call it.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Client, Pool } from 'pg'
import { withSchemaLock } from './migrations.ts'

export interface FunctionFile {
  /** The name of the function, and of its file. */
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

export interface InstalledFunction {
  readonly name: string
  readonly checksum: string
}

const FOLDER = new URL('../../../sql/functions/', import.meta.url)
const FILE_NAME = /^([a-z0-9_]+)\.sql$/
const CALL = /\b([a-z0-9_]+)\s*\(/g

const CREATE_HISTORY = `create table if not exists schema_functions (
  name         text primary key,
  checksum     text not null,
  installed_at timestamptz not null default now()
);
grant select on schema_functions to concord_api, concord_worker, concord_registrar`

export async function readFunctions(folder: URL = FOLDER): Promise<FunctionFile[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(files.map((file) => readFunction(folder, file)))
}

/** Installs the functions that changed and returns their names. It is idempotent. */
export async function installFunctions(
  ownerUrl: string,
  functions: readonly FunctionFile[],
): Promise<string[]> {
  return withSchemaLock(ownerUrl, async (client) => {
    await client.query(CREATE_HISTORY)
    const installed = new Map(
      (await selectInstalled(client)).map(({ name, checksum }) => [name, checksum] as const),
    )
    const changed = inOrderOfUse(functions).filter(({ name, checksum }) => installed.get(name) !== checksum)
    if (changed.length > 0) await installAll(client, changed)
    return changed.map(({ name }) => name)
  })
}

/** Selects the installed functions. Returns none if no function was ever installed. */
export async function selectInstalled(database: Client | Pool): Promise<InstalledFunction[]> {
  const ledger = await database.query(`select where to_regclass('public.schema_functions') is not null`)
  if (ledger.rowCount === 0) return []
  const { rows } = await database.query<InstalledFunction>(
    'select name, checksum from schema_functions order by name',
  )
  return rows
}

async function readFunction(folder: URL, file: string): Promise<FunctionFile> {
  const [, name] = FILE_NAME.exec(file) ?? []
  const sql = await readFile(new URL(file, folder), 'utf8')
  if (!name || !sql.includes(`create or replace function ${name}(`))
    throw new Error(`${file} must create or replace the function of its name`)
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

/** Sorts functions so that a function comes before its callers, because Postgres resolves the calls of some bodies at creation. */
function inOrderOfUse(functions: readonly FunctionFile[]): FunctionFile[] {
  const byName = new Map(functions.map((each) => [each.name, each]))
  const ordered = new Set<FunctionFile>()
  const begun = new Set<FunctionFile>()
  const place = (each: FunctionFile): void => {
    if (begun.has(each)) return
    begun.add(each)
    for (const [, name = ''] of each.sql.matchAll(CALL)) {
      const called = byName.get(name)
      if (called) place(called)
    }
    ordered.add(each)
  }
  functions.forEach(place)
  return [...ordered]
}

async function installAll(client: Client, changed: readonly FunctionFile[]): Promise<void> {
  let current = ''
  try {
    await client.query(`begin; set local lock_timeout = '2s'`)
    for (const { name, sql, checksum } of changed) {
      current = name
      // oxlint-disable-next-line no-await-in-loop -- in order, those that are called first
      await client.query(sql)
      // oxlint-disable-next-line no-await-in-loop
      await client.query(
        `insert into schema_functions (name, checksum) values ($1, $2)
         on conflict (name) do update set checksum = excluded.checksum, installed_at = now()`,
        [name, checksum],
      )
    }
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(`Function ${current} was not installed, and neither was any other`, { cause })
  }
}
