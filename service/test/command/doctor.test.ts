import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Child } from '@concord/tools/launch'
import { startPrivateNats } from '@concord/tools/services'
import { createIngest } from '../../src/app/documents/ingest.ts'
import type { Check } from '../../src/domain/checkup.ts'
import { useDurableDatabase } from '../support/database.ts'
import { documentsDeps, look } from '../support/documents.ts'
import { makeRootKey, makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord, startKernelProcess } from '../support/process.ts'
import type { ProcessEnv } from '../support/process.ts'
import { removeStream } from '../support/queue.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const database = useDurableDatabase()
const pools = usePools(database)
let kernel: Child[] = []
let tenant: TestTenant

async function ingest(documentId: string): Promise<void> {
  const text = { text: 'words', characters: 5 }
  const card = { name: 'Report', type: 'txt', source: null }
  const place = { scopeId: 'default', documentId, idempotencyKey: null }
  const deps = { pool: pools().tenant, ...documentsDeps(pools()) }
  await createIngest(deps).ingestDocument(tenant.caller, { ...card, ...text, ...place })
}

/** A deployment that works: root key, a tenant with a scope and a document, a dispatcher and a worker. */
beforeAll(async () => {
  await makeRootKey(pools(), 'admin')
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
  await ingest('report')
  kernel = await Promise.all([startKernelProcess(env(), 'dispatcher'), startKernelProcess(env(), 'worker')])
})
afterAll(async () => {
  await Promise.all(kernel.map((child) => child.stop()))
  await removeStream(env()['SUBJECT_PREFIX'] ?? '')
})

const env = (): ProcessEnv => processEnv(database())

interface Told {
  readonly code: number | null
  readonly verdict: string
  readonly checks: readonly Check[]
  /** Those of a name. */
  of(name: string): Check[]
  /** The names of those that are not well. */
  readonly amiss: string[]
}

/** Whatever it says, it says no secret. */
async function runChecks(extra: ProcessEnv = {}): Promise<Told> {
  const given = { ...env(), ...extra }
  const { code, stdout, output } = await runConcord(given, 'doctor', '--json')
  for (const secret of secretsIn(given)) expect(output).not.toContain(secret)
  const { verdict, checks } = JSON.parse(stdout) as Pick<Told, 'verdict' | 'checks'>
  const of = (name: string) => checks.filter((check) => check.name === name)
  return {
    code,
    verdict,
    checks,
    of,
    amiss: checks.filter((each) => each.verdict !== 'ok').map(({ name }) => name),
  }
}

function secretsIn(given: ProcessEnv): string[] {
  const passwords = ['DATABASE_URL', 'WORKER_DATABASE_URL', 'DATABASE_OWNER_URL', 'NATS_URL'].map((name) => {
    const value = given[name] ?? ''
    return URL.canParse(value) ? new URL(value).password : value
  })
  const keys = [given['MASTER_KEY']?.split(':')[1], given['KEY_PEPPER']]
  return [...passwords, ...keys].flatMap((secret) => (secret ? [secret] : []))
}

// Each of these listens for heartbeats for two seconds and changes nothing, so they listen at the same time.
describe.concurrent('concord doctor', () => {
  it('reports no failure for a healthy deployment, and exits with 0', async () => {
    const { code, verdict, checks, amiss } = await runChecks()
    expect(amiss).toEqual([])
    expect([code, verdict]).toEqual([0, 'ok'])
    expect(checks.map(({ name }) => name)).toEqual([
      'configuration',
      'postgres (api)',
      'isolation (api)',
      'durability',
      'migrations',
      'room',
      'clock',
      'postgres (worker)',
      'isolation (worker)',
      'nats',
      'queue',
      'processes',
      'work',
      'retention',
      'master key',
      'master keys',
      'fingerprint key',
      'pepper',
      'root keys',
      'judge',
      'model',
    ])
  })

  it('prints a line for each check, and what to do', async () => {
    const { code, stdout, output } = await runConcord({ ...env(), KEY_PEPPER: '' }, 'doctor')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^fail {2}configuration +KEY_PEPPER is not set; see docs\/reference\/configuration\.md$/m,
    )
    expect(stdout).toMatch(/^ok {4}postgres \(api\) +Postgres \d+\.\d+ as concord_api, answers in/m)
    expect(output).toContain('One check failed.')
  })

  it('prints all faults of the configuration at once, and still runs the other checks', async () => {
    const { code, of } = await runChecks({ WORKER_DATABASE_URL: '', MASTER_KEY: 'no key', PORT: 'x' })
    expect(code).toBe(1)
    expect(of('configuration').map(({ found }) => found.split(' ')[0])).toEqual(
      expect.arrayContaining(['WORKER_DATABASE_URL', 'MASTER_KEY', 'PORT']),
    )
    expect(of('postgres (api)')).toMatchObject([{ verdict: 'ok' }])
    expect(of('postgres (worker)')).toEqual([])
    expect(of('nats')).toMatchObject([{ verdict: 'ok' }])
  })

  it('finds a file of a secret that cannot be read', async () => {
    const { code, of } = await runChecks({ MASTER_KEY_FILE: '/nowhere/at/all' })
    expect([code, of('configuration')]).toMatchObject([1, [{ verdict: 'fail' }]])
  })
})

describe.concurrent('a deployment whose servers are not right', () => {
  it('without its broker', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'concord-doctor-'))
    const { serverPath } = database().services.nats
    const nats = await startPrivateNats({ dir, serverPath })
    const url = nats.url.replace('//', `//${nats.user}:${nats.password}@`)
    try {
      await nats.stop()
      const { code, of } = await runChecks({ NATS_URL: url })
      expect(code).toBe(1)
      expect(of('nats')).toMatchObject([{ verdict: 'fail', advice: expect.stringContaining('NATS_URL') }])
      expect(of('processes')).toEqual([])
      expect(of('migrations')).toMatchObject([{ verdict: 'ok' }])
    } finally {
      await nats.remove()
      await rm(dir, { recursive: true, force: true })
    }
  })

  it('without its database', async () => {
    const nowhere = new URL('postgres://127.0.0.1:1/concord')
    nowhere.username = 'concord_api'
    nowhere.password = 'hush-hush'
    const away = nowhere.href
    const { code, of, amiss } = await runChecks({ DATABASE_URL: away, WORKER_DATABASE_URL: away })
    expect(code).toBe(1)
    expect(of('postgres (api)')).toMatchObject([
      { verdict: 'fail', found: expect.stringContaining('ECONNREFUSED') },
    ])
    expect(amiss).toEqual(expect.arrayContaining(['postgres (api)', 'postgres (worker)']))
    expect(of('nats')).toMatchObject([{ verdict: 'ok' }])
  })

  it('with a password that is refused', async () => {
    const wrong = new URL(env()['DATABASE_URL'] ?? '')
    wrong.password = 'another-one'
    const { code, of } = await runChecks({ DATABASE_URL: wrong.href })
    expect([code, of('postgres (api)')]).toMatchObject([
      1,
      [{ verdict: 'fail', advice: expect.stringContaining('DATABASE_URL') }],
    ])
  })

  it('with the role of a superuser', async () => {
    const { code, of } = await runChecks({ DATABASE_URL: database().url('superuser') })
    expect(code).toBe(1)
    expect(of('isolation (api)')).toMatchObject([
      { verdict: 'fail', found: expect.stringContaining('is a superuser') },
    ])
    expect(of('isolation (worker)')).toMatchObject([{ verdict: 'ok' }])
  })
})

describe.concurrent('a deployment with other secrets than its data', () => {
  it('has a master key that opens nothing', async () => {
    const other = randomBytes(32).toString('base64')
    const [same, renamed] = await Promise.all([
      runChecks({ MASTER_KEY: `mk1:${other}` }),
      runChecks({ MASTER_KEY: `mk2:${other}` }),
    ])
    expect([same.code, same.of('master key')]).toMatchObject([
      1,
      [{ verdict: 'fail', found: expect.stringContaining('opens 0 of 1') }],
    ])
    expect(renamed.of('master key')).toMatchObject([
      { verdict: 'fail', found: expect.stringContaining('master key mk1 is not configured') },
    ])
  })

  it('has a pepper that no key was made with', async () => {
    const { code, of } = await runChecks({ KEY_PEPPER: randomBytes(32).toString('base64') })
    expect([code, of('pepper')]).toMatchObject([
      1,
      [{ verdict: 'fail', advice: expect.stringContaining('KEY_PEPPER') }],
    ])
  })
})

describe('a deployment whose database is not right', () => {
  it('with a migration that has not run', async () => {
    const [last] = await look<{ version: number; name: string; checksum: string; breaking: boolean }>(
      database(),
      `delete from schema_migrations where version = (select max(version) from schema_migrations)
       returning version, name, checksum, breaking`,
    )
    try {
      const { code, of } = await runChecks()
      expect([code, of('migrations')]).toMatchObject([
        1,
        [{ verdict: 'fail', advice: expect.stringContaining('run concord migrate') }],
      ])
      // Checks that are still possible are made.
      expect(of('isolation (api)')).toMatchObject([{ verdict: 'ok' }])
    } finally {
      await look(
        database(),
        'insert into schema_migrations (version, name, checksum, breaking) values ($1, $2, $3, $4)',
        [last?.version, last?.name, last?.checksum, last?.breaking],
      )
    }
  })

  it('with a database that answers before a commit is on disk', async () => {
    const role = 'alter role concord_api in database'
    await look(database(), `${role} ${database().name} set synchronous_commit = off`)
    try {
      const { code, of } = await runChecks()
      expect([code, of('durability')]).toMatchObject([
        1,
        [{ verdict: 'fail', found: 'synchronous_commit is off' }],
      ])
    } finally {
      await look(database(), `${role} ${database().name} reset synchronous_commit`)
    }
  })
})

describe('a deployment in which nothing moves', () => {
  it('reports waiting work without live workers', async () => {
    await Promise.all(kernel.map((child) => child.stop()))
    await ingest('another')
    const { code, of } = await runChecks()
    expect(of('processes')).toMatchObject([
      { verdict: 'warn', found: 'heard: nobody', advice: expect.stringContaining('concord worker') },
    ])
    expect([code, of('work')]).toMatchObject([
      1,
      [{ verdict: 'fail', found: expect.stringContaining('does not move') }],
    ])
  })

  it('reports a paused service', async () => {
    await look(database(), `update service_switch set state = 'paused'`)
    const { of } = await runChecks()
    expect(of('work')).toMatchObject([{ verdict: 'warn', advice: expect.stringContaining('runtime start') }])
  })
})
