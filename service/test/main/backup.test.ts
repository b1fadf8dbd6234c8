/** A backup of a running service, restored into a new database: the same documents, and work that goes on. */
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { asSuperuser, createDatabase, dropDatabase, waitUntil } from '@concord/tools/launch'
import { bearer, callApi, jsonBody } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord, startApiProcess } from '../support/process.ts'
import type { ApiProcess, ProcessEnv } from '../support/process.ts'
import { removeStream } from '../support/queue.ts'

// Several processes are started, and documents are read.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const ROLE = join(import.meta.dirname, '..', '..', 'backup-role.sql')
const TEXTS = [
  'The rent of the flat in Mill Lane is 900 EUR a month.',
  'The rent of the flat in Mill Lane is 1200 EUR a month.',
  'The agreement was signed in Geneva.\tA tab, a \\ and a "quote" — and ünïcode.',
]

const database = useDatabase()
const pools = usePools(database)
let env: ProcessEnv
let folder: string
let backup: string
let tenant: TestTenant
const targets: string[] = []
const children: ApiProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'concord-backup-'))
  backup = join(folder, 'first')
  env = { ...processEnv(database()), BACKUP_DATABASE_URL: await makeBackupRole(), READERS: '1' }
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})
afterAll(async () => {
  await Promise.all(children.map((child) => child.stop()))
  for (const name of targets) await dropDatabase(database().services, name)
  for (const { SUBJECT_PREFIX: prefix = '' } of [env, ...targets.map(envOf)]) await removeStream(prefix)
  await rm(folder, { recursive: true })
})

/** The role as the file makes it, which an operator runs; the password is his. */
async function makeBackupRole(): Promise<string> {
  const { services, name } = database()
  const password = randomBytes(16).toString('hex')
  await asSuperuser(services, async (client) => {
    await client.query(await readFile(ROLE, 'utf8'))
    await client.query(`alter role concord_backup password '${password}'`)
    await client.query(`grant connect on database ${name} to concord_backup`)
  })
  const url = new URL(database().url('owner'))
  Object.assign(url, { username: 'concord_backup', password })
  return url.href
}

/** The same secrets over another database, on subjects of their own. */
function envOf(name: string): ProcessEnv {
  return { ...env, ...processEnv({ services: database().services, name }) }
}

async function makeTarget(): Promise<{ readonly name: string; readonly env: ProcessEnv }> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await createDatabase(database().services, { name })
  targets.push(name)
  return { name, env: envOf(name) }
}

async function start(environment: ProcessEnv, command: 'api' | 'up'): Promise<ApiProcess> {
  const child = await startApiProcess(environment, command)
  children.push(child)
  return child
}

const own = () => ({ ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId })

async function ingest(api: ApiProcess, documentId: string, text: string): Promise<void> {
  const { headers, ...rest } = jsonBody({
    scope_id: 'default',
    name: documentId,
    text,
    document_id: documentId,
  })
  const answer = await callApi(`${api.url}/api/ingest`, { ...rest, headers: { ...headers, ...own() } })
  expect(answer.status).toBe(202)
}

const read = async (api: ApiProcess, path: string) =>
  callApi(`${api.url}/api/scopes/default${path}`, { headers: own() })

const untilProcessed = (api: ApiProcess, documentId: string) =>
  waitUntil(async () => (await read(api, `/documents/${documentId}`)).body['status'] === 'processed', {
    what: `${documentId} being processed`,
    withinMs: 60_000,
  })

/** The view of a tenant, apart from what is under way. */
const seen = async (api: ApiProcess) =>
  Promise.all(
    ['/documents/d0', '/documents/d1', '/documents/d2', '/claims', '/contradictions', '/convergence'].map(
      async (path) => (await read(api, path)).body,
    ),
  )

const rowsOf = async (name: string, statement: string) => {
  const client = new Client({ connectionString: database().services.postgres.url('superuser', name) })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

describe('concord backup and restore', () => {
  it('restore a service with its waiting work, which then continues', async () => {
    const up = await start(env, 'up')
    for (const [index, text] of TEXTS.entries()) await ingest(up, `d${index}`, text)
    for (const index of TEXTS.keys()) await untilProcessed(up, `d${index}`)
    await up.stop()
    const api = await start(env, 'api')
    await ingest(api, 'waiting', 'The deposit of the flat in Mill Lane is 500 EUR.')
    const before = await seen(api)
    expect(before[4]).toMatchObject({ items: [{ status: 'open' }] })

    const taken = await runConcord(env, 'backup', backup)
    expect([taken.code, taken.output]).toEqual([0, expect.stringContaining('MASTER_KEY       with mk1\n')])
    await ingest(api, 'later', 'This came after the backup.')

    const target = await makeTarget()
    const restored = await runConcord(target.env, 'restore', backup)
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('tables are back')])

    const again = await start(target.env, 'up')
    expect(await seen(again)).toEqual(before)
    await untilProcessed(again, 'waiting')
    expect((await read(again, '/documents/later')).status).toBe(404)
    await ingest(again, 'new', 'The rent of the flat in Mill Lane is 1000 EUR a month.')
    await untilProcessed(again, 'new')
    expect((await runConcord(target.env, 'audit', 'verify')).code).toBe(0)
    // Positions on both streams go on behind those that were restored.
    const positions = `select count(*)::int = max(seq) as gapless,
        min(kernel_seq) filter (where document_id = 'new')
          > max(kernel_seq) filter (where document_id in ('d0', 'd1', 'd2')) as onwards from scope_log`
    expect(await rowsOf(target.name, positions)).toEqual([{ gapless: true, onwards: true }])
    expect(
      await rowsOf(target.name, `select tier from audit_log where action = 'database.restored'`),
    ).toEqual([{ tier: 'internals' }])
  })

  it('leave every table forced and every trigger on', async () => {
    const doors = `select relname, relforcerowsecurity, (select array_agg(tgname::text || tgenabled::text order by tgname) from pg_trigger
      where tgrelid = c.oid and not tgisinternal) as triggers from pg_class c
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`
    expect(await rowsOf(targets[0] ?? '', doors)).toEqual(await look(database(), doors))
  })
})

describe('concord backup', () => {
  it('writes for its owner alone, and into an empty folder only', async () => {
    for (const file of await readdir(backup)) expect((await stat(join(backup, file))).mode & 0o077).toBe(0)
    const { code, output } = await runConcord(env, 'backup', backup)
    expect([code, output]).toEqual([1, expect.stringContaining('is not empty')])
  })

  it('has neither plain text nor a key in it', async () => {
    const files = (await readdir(backup)).filter((file) => file.endsWith('.gz'))
    const contents = await Promise.all(
      files.map(async (file) => gunzipSync(await readFile(join(backup, file)))),
    )
    const all = Buffer.concat(contents).toString('latin1')
    expect(all).toContain('waiting')
    for (const secret of ['Mill Lane', 'Geneva', tenant.key]) expect(all).not.toContain(secret)
  })

  it('refuses a role that would see only some rows, and names the right one', async () => {
    const dir = join(folder, 'refused')
    const owner = await runConcord({ ...env, BACKUP_DATABASE_URL: database().url('owner') }, 'backup', dir)
    expect([owner.code, owner.output]).toEqual([1, expect.stringContaining('backup-role.sql')])
    expect(await readdir(dir)).not.toContain('manifest.json')
  })
})

describe('concord restore', () => {
  /** A copy of the backup with one file changed. */
  async function damaged(file: string, change: (old: Buffer) => Buffer | string): Promise<string> {
    const dir = join(folder, `damaged-${randomBytes(4).toString('hex')}`)
    await cp(backup, dir, { recursive: true })
    await writeFile(join(dir, file), change(await readFile(join(dir, file))))
    return dir
  }

  it('refuses a database that holds rows, and leaves them alone', async () => {
    const { code, output } = await runConcord(env, 'restore', backup)
    expect([code, output]).toEqual([1, expect.stringContaining('The database is not empty')])
    expect(await look(database(), 'select document_id from documents order by 1')).toHaveLength(5)
  })

  it('refuses a backup that is damaged, unfinished or of an unknown release, before it writes anything', async () => {
    const { name, env: target } = await makeTarget()
    const rename = (old: Buffer) =>
      old
        .toString()
        .replace('"0020_', '"')
        .replace(/"checksum": "./, '$&0')
    const cases = [
      [await damaged('documents.copy.gz', (old) => Buffer.concat([old, Buffer.of(0)])), 'SHA-256'],
      [await damaged('manifest.json', () => '{}'), 'not the manifest'],
      [await damaged('manifest.json', rename), 'restore it with that one'],
      [folder, 'no backup, or one that was not finished'],
    ] as const
    for (const [dir, words] of cases) {
      const { code, output } = await runConcord(target, 'restore', dir)
      expect([code, output]).toEqual([1, expect.stringContaining(words)])
    }
    expect(
      await rowsOf(name, `select relname from pg_class where relnamespace = 'public'::regnamespace`),
    ).toEqual([])
  })

  it('needs the right master keys, brings nothing without them, and can be repeated with them', async () => {
    const { name, env: target } = await makeTarget()
    const other = randomBytes(32).toString('base64')
    const missing = await runConcord({ ...target, MASTER_KEY: `mk2:${other}` }, 'restore', backup)
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('needs master key mk1')])
    const wrong = await runConcord({ ...target, MASTER_KEY: `mk1:${other}` }, 'restore', backup)
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('Master key mk1 is not the one')])
    expect(await rowsOf(name, 'select from tenants')).toEqual([])
    const right = await runConcord(target, 'restore', backup, '--json')
    expect(right.code).toBe(0)
    const manifest = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as {
      readonly tables: readonly { readonly name: string; readonly rows: number }[]
    }
    for (const table of manifest.tables) {
      const [counted] = await rowsOf(name, `select count(*)::int as rows from ${table.name}`)
      // The restore itself is recorded.
      expect([table.name, counted.rows]).toEqual([
        table.name,
        table.rows + Number(table.name === 'audit_log'),
      ])
    }
  })
})
