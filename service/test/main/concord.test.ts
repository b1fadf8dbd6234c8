/** The API as real processes: what an operator and a fleet see. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { bearer, callApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { makeRootKey, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { processEnv, runConcord, startApiProcess } from '../support/process.ts'
import type { ApiProcess } from '../support/process.ts'
import { inSession } from '../support/sessions.ts'

// A process takes a second to start on an idle machine, and several on a busy one.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const database = useDatabase()
const pools = usePools(database)
let replicas: ApiProcess[] = []
let admin: string

beforeAll(async () => {
  admin = (await makeRootKey(pools(), 'admin')).key
  const env = processEnv(database())
  replicas = await Promise.all([startApiProcess(env), startApiProcess(env)])
})
afterAll(async () => {
  await Promise.all(replicas.map((each) => each.stop()))
})

const statusOf = async (replica: ApiProcess | undefined, key: string) =>
  (await callApi(`${replica?.url}/api/scopes`, { headers: bearer(key) })).status

/** How long the key goes on being accepted on any replica, in ms, from the moment `revoke` has returned. */
async function acceptedFor(tenant: TestTenant, revoke: () => Promise<unknown>): Promise<number> {
  const acceptance = () => Promise.all(replicas.map((each) => statusOf(each, tenant.key)))
  expect(await acceptance()).toEqual([200, 200])
  await revoke()
  const revokedAt = performance.now()
  let lastAccepted = revokedAt
  await waitUntil(
    async () => {
      const asked = performance.now()
      const statuses = await acceptance()
      if (statuses.includes(200)) lastAccepted = asked
      return statuses.every((status) => status === 401)
    },
    { what: 'refusal on both replicas', everyMs: 10 },
  )
  // Twice the memory of a replica: a key must not come back.
  for (let time = 0; time < 15; time += 1) expect(await acceptance()).toEqual([401, 401])
  return lastAccepted - revokedAt
}

describe('a revoked key', () => {
  it('is refused by every replica within a second when one of them revoked it', async () => {
    const tenant = await makeTenant(pools())
    const path = `/admin/tenants/${tenant.tenantId}/keys/${tenant.keyId}/revoke`
    const ms = await acceptedFor(tenant, async () => {
      const revoked = await callApi(`${replicas[0]?.url}${path}`, { method: 'POST', headers: bearer(admin) })
      expect(revoked.body).toMatchObject({ status: 'revoked' })
    })
    expect(ms).toBeLessThan(1_000)
  })

  it('is refused by every replica within a second without an announcement', async () => {
    const tenant = await makeTenant(pools())
    const ms = await acceptedFor(tenant, () =>
      inSession({ connectionString: database().url('superuser') }, (client) =>
        client.query('update keys set revoked_at = now() where key_id = $1', [tenant.keyId]),
      ),
    )
    expect(ms).toBeLessThan(1_000)
  })
})

describe('SIGTERM', () => {
  it('lets the request in flight finish, closes the port, and ends the process with 0', async () => {
    // Longer than the request takes, and short enough to be waited for.
    const api = await startApiProcess({ ...processEnv(database()), DRAIN_SECONDS: '5' })
    const { tenantId } = await makeTenant(pools())
    const refused = () =>
      fetch(`${api.url}/livez`).then(
        () => false,
        () => true,
      )
    await inSession({ connectionString: database().url('superuser') }, async (holder) => {
      await holder.query('begin')
      await holder.query('select from tenants where tenant_id = $1 for update', [tenantId])
      const inFlight = callApi(`${api.url}/admin/tenants/${tenantId}/keys`, {
        method: 'POST',
        headers: bearer(admin),
      })
      await waitUntil(
        async () =>
          (
            await holder.query(
              `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
              [database().name],
            )
          ).rowCount === 1,
        { what: 'the request waiting for the lock' },
      )
      api.signal('SIGTERM')
      await waitUntil(refused, { what: 'the port closing' })
      expect(api.hasExited()).toBe(false)
      await holder.query('rollback')
      expect((await inFlight).status).toBe(201)
    })
    expect(await api.exited).toEqual({ code: 0, signal: null })
  })
})

describe('concord api --check-config', () => {
  it('prints that a valid configuration is complete, and starts nothing', async () => {
    const { code, stdout } = await runConcord(processEnv(database()), 'api', '--check-config')
    expect([code, stdout]).toEqual([0, 'The configuration is complete.\n'])
  })

  it('prints all faults and ends with 1', async () => {
    const { code, output } = await runConcord({ PORT: 'x', AUTH_MODE: 'none' }, 'api', '--check-config')
    expect(code).toBe(1)
    for (const name of ['PORT', 'AUTH_MODE', 'DATABASE_URL', 'NATS_URL', 'MASTER_KEY', 'KEY_PEPPER'])
      expect(output).toMatch(new RegExp(`^ +- ${name} `, 'm'))
    expect(output).not.toContain('    at ')
  })
})

describe('concord api', () => {
  it('prints the reason if it is not safe to serve, and exits with 1 without waiting for the database', async () => {
    const env = { ...processEnv(database()), DATABASE_URL: database().url('owner') }
    const { code, output } = await runConcord(env, 'api')
    expect(code).toBe(1)
    expect(output).toContain('role concord_owner owns tables; connect as concord_api')
    expect(output).not.toContain('the database is away')
  })
})

describe('concord migrate', () => {
  it('prints what it did, or that there was nothing to do', async () => {
    const { code, stdout } = await runConcord(processEnv(database()), 'migrate')
    expect([code, stdout]).toEqual([0, 'The schema is up to date.\n'])
  })

  it('prints which variable to set without the address of the owner', async () => {
    const { code, output } = await runConcord({}, 'migrate')
    expect(code).toBe(1)
    expect(output).toContain('DATABASE_OWNER_URL must be')
  })
})

describe('SIGTERM to an idle process', () => {
  it('ends it with 0 at once', async () => {
    const asked = performance.now()
    for (const replica of replicas) replica.signal('SIGTERM')
    expect(await Promise.all(replicas.map((each) => each.exited))).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ])
    expect(performance.now() - asked).toBeLessThan(5_000)
    expect(replicas[0]?.output()).toContain('"signal":"SIGTERM"')
  })
})
