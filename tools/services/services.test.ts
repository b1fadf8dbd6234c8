// Real servers in a state directory of their own; the tests follow one another, as in the life of a clone.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '@nats-io/transport-node'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  ensureServices,
  ensureTestServices,
  resetServices,
  type Services,
  servicesFrom,
  servicesRunning,
  stopServices,
} from './index.ts'
import { isFree } from './ports.ts'
import { findServers, type RunAs } from './processes.ts'
import { postgresUser, standInFor } from './unprivileged.ts'

const CLI = join(import.meta.dirname, '..', 'services.ts')
const asRoot = process.getuid?.() === 0

let stateDir: string
let strangers: ChildProcess[] = []

beforeAll(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'concord-services-test-'))
  chmodSync(stateDir, 0o711)
})
afterEach(() => {
  for (const each of strangers) each.kill('SIGKILL')
  strangers = []
})
afterAll(async () => {
  await resetServices({ stateDir })
  rmSync(stateDir, { recursive: true })
})

/** A process of someone else, which took a number that was once a server's. */
function stranger(command = 'sleep', args = ['600'], runAs?: RunAs): ChildProcess & { pid: number } {
  const child = spawn(command, args, { stdio: 'ignore', ...runAs })
  strangers.push(child)
  if (child.pid === undefined) throw new Error(`${command} did not start`)
  return child as ChildProcess & { pid: number }
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

async function ask<Answer>({ nats }: Services, subject: string, body: object): Promise<Answer> {
  const connection = await connect({ servers: nats.url, user: nats.user, pass: nats.password })
  try {
    return (await connection.request(subject, JSON.stringify(body))).json<Answer>()
  } finally {
    await connection.close()
  }
}

function processesOf({ postgres, nats }: Services) {
  return {
    postgres: findServers({ executable: 'postgres', firstArguments: ['-D', postgres.dataDir] }),
    nats: findServers({
      executable: 'nats-server',
      firstArguments: ['-c', join(nats.storeDir, '..', 'nats.conf')],
    }),
  }
}

/** Puts a pid everywhere a pid is remembered. */
function plantPid({ postgres, nats }: Services, pid: number): void {
  const records = [postgres.dataDir, nats.storeDir].map((data) => join(data, '..', 'access.json'))
  for (const file of records) {
    const record = JSON.parse(readFileSync(file, 'utf8')) as object
    writeFileSync(file, JSON.stringify({ ...record, pid }))
  }
  const file = join(stateDir, 'state.json')
  const state = JSON.parse(readFileSync(file, 'utf8')) as Services
  const planted = { ...state, postgres: { ...state.postgres, pid }, nats: { ...state.nats, pid } }
  writeFileSync(file, JSON.stringify(planted))
}

describe('the servers of a clone', { timeout: 60_000 }, () => {
  it('are started once by three runs at the same time, and outlive them', async () => {
    const start = () => promisify(execFile)(process.execPath, [CLI, '--json', '--dir', stateDir])
    const outputs = (await Promise.all([start(), start(), start()])).map(({ stdout }) => stdout)
    expect(new Set(outputs).size).toBe(1)
    const services = JSON.parse(outputs[0] ?? '') as Services
    expect(processesOf(services)).toEqual({ postgres: [services.postgres.pid], nats: [services.nats.pid] })
    expect(statSync(join(stateDir, 'state.json')).mode & 0o777).toBe(0o600)
  })

  it('are found by the next run, with the same addresses and processes', async () => {
    const [first, second] = [await ensureServices({ stateDir }), await ensureServices({ stateDir })]
    expect(JSON.stringify(second)).toBe(JSON.stringify(first))
  })

  it('let each role log in with its own password, bound by row-level security', async () => {
    const { postgres } = await ensureServices({ stateDir })
    for (const role of ['owner', 'api', 'worker'] as const) {
      const sql =
        'select rolname, rolsuper, rolbypassrls, rolcreaterole, rolinherit from pg_roles where rolname = user'
      const [row] = await query(postgres.url(role), sql)
      const bound = { rolsuper: false, rolbypassrls: false, rolcreaterole: false }
      expect(row).toEqual({ rolname: `concord_${role}`, ...bound, rolinherit: role === 'owner' })
    }
    await expect(query(postgres.url('api').replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
  })

  it('give the API the rights of the registrar only when it steps into that role', async () => {
    const { postgres } = await ensureServices({ stateDir })
    const memberships =
      "select pg_has_role('concord_registrar', 'usage') as has, pg_has_role('concord_registrar', 'member') as may"
    expect(await query(postgres.url('api'), memberships)).toEqual([{ has: false, may: true }])
    expect(await query(postgres.url('worker'), memberships)).toEqual([{ has: false, may: false }])
  })

  it('keep the database to the three roles, and commit to disk', async () => {
    const { postgres } = await ensureServices({ stateDir })
    const sql = `select pg_get_userbyid(datdba) as owner, pg_encoding_to_char(encoding) as encoding,
      has_database_privilege('pg_monitor', 'concord', 'connect') as stranger_connects,
      current_setting('fsync') || current_setting('synchronous_commit') as durable,
      current_setting('listen_addresses') as listens from pg_database where datname = 'concord'`
    const expected = { owner: 'concord_owner', encoding: 'UTF8', stranger_connects: false }
    expect(await query(postgres.url('superuser'), sql)).toEqual([
      { ...expected, durable: 'onon', listens: '127.0.0.1' },
    ])
  })

  it('refuse a NATS client without the password', async () => {
    const { nats } = await ensureServices({ stateDir })
    await expect(connect({ servers: nats.url, reconnect: false })).rejects.toThrow(/authorization/i)
    const answer = await fetch(`${nats.monitorUrl}/jsz`)
    expect(await answer.json()).toMatchObject({
      config: { store_dir: expect.stringContaining(nats.storeDir) },
    })
  })

  it('are found, and come back, whatever a deleted stream left in the store of NATS', async () => {
    const before = await ensureServices({ stateDir })
    mkdirSync(join(before.nats.storeDir, 'jetstream', '$G', 'streams', 'left-behind'), { recursive: true })
    const found = await ensureServices({ stateDir })
    expect(found.nats.pid).toBe(before.nats.pid)
    process.kill(before.nats.pid ?? 0, 'SIGKILL')
    expect((await ensureServices({ stateDir })).nats.url).toBe(before.nats.url)
  })

  it('come back after kill -9 at the same addresses with all that was committed', async () => {
    const before = await ensureServices({ stateDir })
    await query(
      before.postgres.url('owner'),
      'create table kept (word text); insert into kept values ($$yes$$)',
    )
    await ask(before, '$JS.API.STREAM.CREATE.kept', { name: 'kept', subjects: ['kept'] })
    expect(await ask(before, 'kept', { word: 'yes' })).toMatchObject({ stream: 'kept', seq: 1 })
    process.kill(before.postgres.pid ?? 0, 'SIGKILL')
    process.kill(before.nats.pid ?? 0, 'SIGKILL')

    const after = await ensureServices({ stateDir })
    expect([after.postgres.port, after.nats.url]).toEqual([before.postgres.port, before.nats.url])
    expect(after.postgres.pid).not.toBe(before.postgres.pid)
    expect(after.nats.pid).not.toBe(before.nats.pid)
    expect(await query(after.postgres.url('owner'), 'select word from kept')).toEqual([{ word: 'yes' }])
    const info = await ask(after, '$JS.API.STREAM.INFO.kept', {})
    expect(info).toMatchObject({ state: { messages: 1 } })
  })

  it('start although a stranger of the same user now has the pid in the lock file of Postgres', async () => {
    const before = await ensureServices({ stateDir })
    process.kill(before.postgres.pid ?? 0, 'SIGKILL')
    const other = stranger('sleep', ['600'], postgresUser())
    const lock = join(before.postgres.dataDir, 'postmaster.pid')
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^\d+/, String(other.pid)))

    const after = await ensureServices({ stateDir })
    expect(await query(after.postgres.url('owner'), 'select word from kept')).toEqual([{ word: 'yes' }])
    expect(other.exitCode ?? other.signalCode).toBeNull()
  })

  it('refuse to run another Postgres than asked for, and say what to do', async () => {
    const environment = { ...process.env, CONCORD_POSTGRES: '/opt/another/bin' }
    await expect(ensureServices({ stateDir, environment })).rejects.toThrow(/services stop/)
  })

  it('are gone when stop returns, their ports free and their data in place; a second stop is harmless', async () => {
    const services = await ensureServices({ stateDir })
    await stopServices({ stateDir })
    expect(processesOf(services)).toEqual({ postgres: [], nats: [] })
    expect(servicesRunning({ stateDir })).toEqual({})
    expect(await isFree(services.postgres.port)).toBe(true)
    expect(existsSync(join(services.postgres.dataDir, 'PG_VERSION'))).toBe(true)
    await stopServices({ stateDir })
  })

  it('are never mistaken for a stranger that has inherited their pid', async () => {
    const before = await ensureServices({ stateDir })
    await stopServices({ stateDir })
    // The second one even names the data directory, as an editor or a pager would.
    for (const other of [stranger(), stranger('tail', ['-f', join(before.postgres.dataDir, 'PG_VERSION')])]) {
      plantPid(before, other.pid)
      await stopServices({ stateDir })
      plantPid(before, other.pid)
      const after = await ensureServices({ stateDir })
      expect([after.postgres.pid, after.nats.pid]).not.toContain(other.pid)
      plantPid(after, other.pid)
      await stopServices({ stateDir })
      expect(servicesRunning({ stateDir })).toEqual({})
      expect(other.exitCode ?? other.signalCode).toBeNull()
    }
  })

  it('are repaired when their record is lost', async () => {
    const before = await ensureServices({ stateDir })
    rmSync(join(stateDir, 'state.json'))
    const after = await ensureServices({ stateDir })
    expect(after.postgres.pid).toBe(before.postgres.pid)
    expect(await query(after.postgres.url('owner'), 'select word from kept')).toEqual([{ word: 'yes' }])
  })
})

describe('the Postgres of the tests', { timeout: 60_000 }, () => {
  it('stands beside the durable one, has the same roles and does not sync', async () => {
    const durable = await ensureServices({ stateDir })
    const { postgres, nats } = servicesFrom(await ensureTestServices({ stateDir }))
    expect(nats.pid).toBe(durable.nats.pid)
    expect(postgres.roles).toEqual(durable.postgres.roles)
    expect(servicesRunning({ stateDir })).toMatchObject({
      postgres: durable.postgres.pid,
      tests: postgres.pid,
    })
    const sql = `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`
    expect(await query(postgres.url('api'), sql)).toEqual([{ fsync: 'off', commit: 'off' }])
    expect(await query(durable.postgres.url('api'), sql)).toEqual([{ fsync: 'on', commit: 'on' }])
  })

  it('is found by the next run, also when that asks for the durable one first', async () => {
    const before = await ensureTestServices({ stateDir })
    await ensureServices({ stateDir })
    expect(await ensureTestServices({ stateDir })).toEqual(before)
  })

  it('comes back empty after a stop, which deletes its data', async () => {
    const { postgres } = servicesFrom(await ensureTestServices({ stateDir }))
    await query(postgres.url('owner'), 'create table gone ()')
    await stopServices({ stateDir })
    expect(servicesRunning({ stateDir })).toEqual({})
    expect(existsSync(postgres.dataDir)).toBe(false)
    const after = servicesFrom(await ensureTestServices({ stateDir })).postgres
    expect(await query(after.url('owner'), `select to_regclass('gone') as found`)).toEqual([{ found: null }])
    await stopServices({ stateDir })
    await ensureServices({ stateDir })
  })
})

describe('a second clone', { timeout: 60_000 }, () => {
  let second: string
  beforeAll(() => {
    // Closed to everybody else, as a clone in root's home is.
    second = mkdtempSync(join(tmpdir(), 'concord-services-test-'))
    chmodSync(second, 0o700)
  })
  afterAll(async () => {
    await resetServices({ stateDir: second })
    rmSync(second, { recursive: true })
  })

  it('has servers of its own, here the embedded Postgres, and does not disturb the first', async () => {
    const first = await ensureServices({ stateDir })
    const environment = { ...process.env, CONCORD_POSTGRES: 'embedded' }
    const other = await ensureServices({ stateDir: second, environment })
    expect(other.postgres.version).toMatch(/^18\./)
    expect(other.postgres.dataDir).toContain(asRoot ? standInFor(second) : second)
    expect(other.postgres.superuser.password).not.toBe(first.postgres.superuser.password)
    expect(await query(other.postgres.url('api'), 'select 1 as one')).toEqual([{ one: 1 }])

    await stopServices({ stateDir: second })
    expect(servicesRunning({ stateDir: second })).toEqual({})
    expect(servicesRunning({ stateDir })).toEqual({ postgres: first.postgres.pid, nats: first.nats.pid })
  })

  it('keeps the choice of Postgres, and its data, when nothing else is asked for', async () => {
    const { postgres } = await ensureServices({ stateDir: second })
    expect([postgres.choice, postgres.version.slice(0, 3)]).toEqual(['embedded', '18.'])
  })

  it('loses servers, data and stand-in by reset, and only its own', async () => {
    const { postgres } = await ensureServices({ stateDir: second })
    await resetServices({ stateDir: second })
    expect([existsSync(postgres.dataDir), existsSync(standInFor(second))]).toEqual([false, false])
    expect(servicesRunning({ stateDir: second })).toEqual({})
    expect(Object.keys(servicesRunning({ stateDir }))).toEqual(['postgres', 'nats'])
  })
})
