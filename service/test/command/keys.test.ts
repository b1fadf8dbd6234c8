/** `concord keys` as an operator types it: a process each, so related steps share a test. */
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createCredentials } from '../../src/app/access/credentials.ts'
import { useDatabase } from '../support/database.ts'
import { faultOf } from '../support/faults.ts'
import { makeScope, makeTenant, pepper } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord } from '../support/process.ts'

vi.setConfig({ testTimeout: 60_000 })

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant

beforeAll(async () => {
  tenant = await makeTenant(pools())
})

const keys = (...args: string[]) => runConcord(processEnv(database()), 'keys', ...args)

async function keysJson<Result>(...args: string[]): Promise<Result> {
  const { code, stdout, output } = await keys(...args, '--json')
  if (code !== 0) throw new Error(`concord keys ${args.join(' ')} ended with ${code}:\n${output}`)
  return JSON.parse(stdout) as Result
}

interface Issued {
  readonly key_id: string
  readonly api_key: string
  readonly key_prefix: string
  readonly expires_at: string | null
  readonly replaces?: string
}

type Row = Readonly<Record<string, string | null>>

/** Asked anew each time, without any memory. */
function opens(key: string, tier: 'tenant' | 'admin' | 'internals') {
  const credentials = createCredentials({
    registry: pools().registry,
    peppers: [pepper],
    monotonicMs: () => performance.now(),
  })
  return faultOf(
    tier === 'tenant' ? credentials.authenticateTenant(key) : credentials.authenticatePlatform(key, tier),
  )
}

const statusOf = (rows: readonly Row[], keyId: string) =>
  rows.find((row) => row['key_id'] === keyId)?.['status']

describe('root keys', () => {
  it('are created, listed, rotated and revoked, as JSON for programs', async () => {
    const created = await keysJson<Issued>(
      'create',
      '--tier',
      'internals',
      '--name',
      'ops',
      '--expires',
      '2100-01-31',
    )
    expect(created.api_key.startsWith(`${created.key_prefix}_`)).toBe(true)
    expect(created.expires_at).toBe('2100-01-31T00:00:00.000Z')
    expect(await opens(created.api_key, 'internals')).toBeUndefined()

    const rotated = await keysJson<Issued>('rotate', created.key_id, '--overlap', '0')
    expect(rotated.replaces).toBe(created.key_id)
    expect(await opens(rotated.api_key, 'internals')).toBeUndefined()
    expect(await opens(created.api_key, 'internals')).toBe('credential_expired')

    expect(await keysJson<Row>('revoke', rotated.key_id)).toMatchObject({ status: 'revoked' })
    expect(await opens(rotated.api_key, 'internals')).toBe('credential_revoked')

    const rows = await keysJson<Row[]>('list')
    expect(statusOf(rows, created.key_id)).toBe('expired')
    expect(statusOf(rows, rotated.key_id)).toBe('revoked')
    expect(statusOf(rows, tenant.keyId)).toBeUndefined()
    expect(JSON.stringify(rows)).not.toContain(created.api_key.slice(16))
  })

  it('are printed for people as plain lines, with a note to store them', async () => {
    const created = await keys('create', '--tier', 'admin')
    expect(created.code).toBe(0)
    const [, keyId = ''] = /^key_id +(\S+)$/m.exec(created.stdout) ?? []
    expect(created.stdout).toMatch(/^api_key +ck_a_\w{10}_\w{49}$/m)
    expect(created.stdout).toMatch(/^expires_at +-$/m)
    expect(created.output).toContain('cannot be shown again')
    const [listed, rotated] = await Promise.all([keys('list'), keys('rotate', keyId)])
    expect(listed.stdout).toMatch(/^key_id +key_prefix +tier +status +name/)
    expect(listed.stdout).toMatch(new RegExp(`^${keyId} +ck_a_${keyId} +admin +live`, 'm'))
    expect(rotated.stdout).toMatch(new RegExp(`^replaces +${keyId}$`, 'm'))
    expect(rotated.output).toContain('cannot be shown again')
  })
})

describe('keys of a tenant', () => {
  it('are created, listed, rotated and revoked with --tenant', async () => {
    const of = ['--tenant', tenant.tenantId]
    const created = await keysJson<Issued>('create', '--tier', 'tenant', ...of, '--name', 'job')
    expect(await opens(created.api_key, 'tenant')).toBeUndefined()
    const rotated = await keysJson<Issued>('rotate', created.key_id, ...of, '--overlap', '0')
    expect(await opens(created.api_key, 'tenant')).toBe('credential_expired')
    await keysJson<Row>('revoke', rotated.key_id, ...of)
    expect(await opens(rotated.api_key, 'tenant')).toBe('credential_revoked')
    const rows = await keysJson<Row[]>('list', ...of)
    expect(rows.map((row) => [row['key_id'], row['status']])).toEqual([
      [tenant.keyId, 'live'],
      [created.key_id, 'expired'],
      [rotated.key_id, 'revoked'],
    ])
  })
})

describe('wrong usage', () => {
  const wrong: Record<string, [args: string[], hint: RegExp]> = {
    'no tier': [['keys', 'create'], /--tier/],
    'an unknown tier': [['keys', 'create', '--tier', 'root'], /tenant, admin, internals/],
    'a tenant key without a tenant': [
      ['keys', 'create', '--tier', 'tenant'],
      /--tenant.*concord tenants list/,
    ],
    'a tenant that is none': [['keys', 'list', '--tenant', 'acme'], /UUID/],
    'an instant in the past': [
      ['keys', 'create', '--tier', 'admin', '--expires', '2001-01-01'],
      /in the future/,
    ],
    'an overlap without end': [['keys', 'rotate', '0000000000', '--overlap', '9999999'], /2592000/],
    'a key that nobody has': [['keys', 'revoke', '0000000000'], /No such key/],
    'a misspelt command': [['kyes'], /Did you mean keys\?/],
    'a misspelt step': [['keys', 'creat'], /Did you mean create\?/],
    'a misspelt option': [['keys', 'list', '--tenat', 'x'], /Did you mean --tenant\?/],
  }

  const countKeys = async () => (await pools().registry.query('select from keys')).rowCount
  let keysBefore: number | null
  beforeAll(async () => {
    keysBefore = await countKeys()
  })

  it.each(Object.keys(wrong))('by %s ends with 1 and says what to do', async (name) => {
    const [args, hint] = wrong[name] ?? [[], /never/]
    const { code, output, stdout } = await runConcord(processEnv(database()), ...args)
    expect(code).toBe(1)
    expect(output).toMatch(hint)
    expect(output).not.toMatch(/^ +at /m)
    expect(stdout).toBe('')
  })

  it('leaves no key behind', async () => {
    expect(await countKeys()).toBe(keysBefore)
  })
})

describe('concord keys rewrap', () => {
  it('moves the data keys to the first master key, and prints what the old one is still needed for', async () => {
    await makeScope(pools(), await makeTenant(pools()), 'default')
    const before = processEnv(database())
    const young = `mk2:${randomBytes(32).toString('base64')}`
    const env = { ...before, MASTER_KEY: `${young},${before['MASTER_KEY']}` }
    const { code, stdout, output } = await runConcord(env, 'keys', 'rewrap', '--from', 'mk1', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ from: 'mk1', to: 'mk2', moved: 1, left: 0 })
    expect(output).toContain('1 data keys moved')
    const refused = await runConcord(before, 'keys', 'rewrap', '--from', 'mk1')
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('mk1 is the first of MASTER_KEY'),
    ])
  })
})
