import { randomBytes } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createCredentials } from '../../../src/app/access/credentials.ts'
import type { Credentials } from '../../../src/app/access/credentials.ts'
import { createKey, pepperId } from '../../../src/platform/api-key.ts'
import { countKeysByPepper, updateDigests } from '../../../src/store/identity/key-registry.ts'
import { createClock } from '../../support/clock.ts'
import type { TestClock } from '../../support/clock.ts'
import { useDatabase } from '../../support/database.ts'
import { faultOf } from '../../support/faults.ts'
import { forgeKey, withAnotherSecret } from '../../support/forged-key.ts'
import { makeRootKey, makeTenant, pepper } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { countQueries, usePools } from '../../support/pools.ts'
import type { CountedPool } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
let registry: CountedPool
let clock: TestClock
let credentials: Credentials
let tenant: TestTenant
let admin: { key: string; keyId: string }
let internals: { key: string; keyId: string }

beforeAll(async () => {
  admin = await makeRootKey(pools(), 'admin')
  internals = await makeRootKey(pools(), 'internals')
})

beforeEach(async () => {
  clock = createClock()
  registry = countQueries(pools().registry)
  credentials = createCredentials({ registry: registry.pool, peppers: [pepper], monotonicMs: clock.now })
  tenant = await makeTenant(pools())
})

afterEach(() => {
  vi.useRealTimers()
})

const authenticate = (key = tenant.key) => credentials.authenticateTenant(key)

const setKey = (assignment: string, keyId = tenant.keyId) =>
  asRole(database(), 'superuser', (client) =>
    client.query(`update keys set ${assignment} where key_id = $1`, [keyId]),
  )

describe('a good key', () => {
  it('authenticates its tenant, and appears by its prefix', async () => {
    expect(await authenticate()).toEqual({
      tier: 'tenant',
      tenantId: tenant.tenantId,
      actor: tenant.prefix,
    })
  })

  it('authenticates its holder and no tenant in the admin tier', async () => {
    expect(await credentials.authenticatePlatform(admin.key, 'admin')).toEqual({
      tier: 'admin',
      actor: `ck_a_${admin.keyId}`,
    })
  })

  it('is recorded as used once, until the record is collected', async () => {
    await authenticate()
    await authenticate()
    await faultOf(authenticate(withAnotherSecret(tenant.key)))
    expect(credentials.takeUsed()).toEqual([tenant.keyId])
    expect(credentials.takeUsed()).toEqual([])
  })
})

describe('a key that is not good', () => {
  it('is refused without a query when its form or checksum is wrong', async () => {
    const last = tenant.key.endsWith('0') ? '1' : '0'
    for (const key of ['', 'secret', tenant.prefix, `${tenant.key.slice(0, -1)}${last}`, `${tenant.key} `])
      expect(await faultOf(authenticate(key))).toBe('credential_invalid')
    expect(registry.count()).toBe(0)
  })

  it('is refused when it does not exist', async () => {
    expect(await faultOf(authenticate(createKey('tenant').key))).toBe('credential_invalid')
  })

  it('is refused when only its id is right', async () => {
    expect(await faultOf(authenticate(withAnotherSecret(tenant.key)))).toBe('credential_invalid')
    expect(await faultOf(authenticate(forgeKey(tenant.prefix)))).toBe('credential_invalid')
  })

  it('is refused when a tenant key is dressed up as an admin key', async () => {
    const dressed = forgeKey(`ck_a_${tenant.keyId}`)
    expect(await faultOf(credentials.authenticatePlatform(dressed, 'admin'))).toBe('credential_invalid')
  })

  it('is refused under another pepper', async () => {
    const elsewhere = createCredentials({
      registry: registry.pool,
      peppers: [Buffer.alloc(32)],
      monotonicMs: clock.now,
    })
    expect(await faultOf(elsewhere.authenticateTenant(tenant.key))).toBe('credential_invalid')
  })
})

describe('a key that was made with an older pepper', () => {
  const young = randomBytes(32)
  const withBoth = () =>
    createCredentials({ registry: registry.pool, peppers: [young, pepper], monotonicMs: clock.now })
  const withYoung = () =>
    createCredentials({ registry: registry.pool, peppers: [young], monotonicMs: clock.now })

  it('is good for as long as that pepper is configured', async () => {
    expect(await withBoth().authenticateTenant(tenant.key)).toMatchObject({ tenantId: tenant.tenantId })
    expect(await faultOf(withBoth().authenticateTenant(withAnotherSecret(tenant.key)))).toBe(
      'credential_invalid',
    )
    expect(await faultOf(withYoung().authenticateTenant(tenant.key))).toBe('credential_invalid')
  })

  it('gets a digest with the current one when it is used, and no longer needs the older one', async () => {
    const both = withBoth()
    await both.authenticateTenant(tenant.key)
    await both.authenticateTenant(tenant.key)
    const outdated = both.takeOutdated()
    expect(outdated).toMatchObject([{ keyId: tenant.keyId, pepperId: pepperId(young) }])
    expect(both.takeOutdated()).toEqual([])
    await updateDigests(pools().registry, outdated)
    expect(await withYoung().authenticateTenant(tenant.key)).toMatchObject({ tenantId: tenant.tenantId })
    expect(await countKeysByPepper(pools().registry)).toContainEqual(
      expect.objectContaining({ pepperId: pepperId(young), liveKeys: 1, example: tenant.keyId }),
    )
    const again = withBoth()
    await again.authenticateTenant(tenant.key)
    expect(again.takeOutdated()).toEqual([])
  })

  it('is left unchanged if it was refused', async () => {
    await setKey('revoked_at = now()')
    const both = withBoth()
    await faultOf(both.authenticateTenant(tenant.key))
    await faultOf(both.authenticateTenant(withAnotherSecret(tenant.key)))
    expect(both.takeOutdated()).toEqual([])
  })
})

describe('a dead key', () => {
  it('is reported as revoked or expired to a caller with the right secret', async () => {
    await setKey('revoked_at = now()')
    expect(await faultOf(authenticate())).toBe('credential_revoked')
    await setKey(`revoked_at = null, expires_at = now() - interval '1 second'`)
    clock.advance(1_000)
    expect(await faultOf(authenticate())).toBe('credential_expired')
  })

  it('is reported as unknown to a caller with a wrong secret', async () => {
    await setKey('revoked_at = now()')
    expect(await faultOf(authenticate(withAnotherSecret(tenant.key)))).toBe('credential_invalid')
  })

  it('is not recorded as used', async () => {
    await setKey('revoked_at = now()')
    await faultOf(authenticate())
    expect(credentials.takeUsed()).toEqual([])
  })
})

describe('the tiers', () => {
  it.each([
    ['admin', 'admin', undefined],
    ['admin', 'internals', 'wrong_tier'],
    ['internals', 'admin', undefined],
    ['internals', 'internals', undefined],
    ['tenant', 'admin', 'wrong_tier'],
    ['tenant', 'internals', 'wrong_tier'],
  ] as const)('%s key, %s tier: %s', async (held, wanted, fault) => {
    const key = { admin: admin.key, internals: internals.key, tenant: tenant.key }[held]
    expect(await faultOf(credentials.authenticatePlatform(key, wanted))).toBe(fault)
  })

  it('keep admin and internals keys out of the public tier', async () => {
    expect(await faultOf(authenticate(admin.key))).toBe('wrong_tier')
    expect(await faultOf(authenticate(internals.key))).toBe('wrong_tier')
  })
})

describe('the cache of credentials', () => {
  it('is valid for less than a second by the given clock, then read again', async () => {
    await authenticate()
    await setKey('revoked_at = now()')
    clock.advance(700)
    expect(await faultOf(authenticate())).toBeUndefined()
    expect(registry.count()).toBe(1)
    clock.advance(299)
    expect(await faultOf(authenticate())).toBe('credential_revoked')
    expect(registry.count()).toBe(2)
  })

  it('is not extended by use', async () => {
    await authenticate()
    await setKey('revoked_at = now()')
    for (let step = 0; step < 4; step += 1) {
      clock.advance(249)
      await faultOf(authenticate())
    }
    expect(await faultOf(authenticate())).toBe('credential_revoked')
  })

  it('is dropped at once when a change is announced, and only for that key', async () => {
    const other = await makeTenant(pools())
    await Promise.all([authenticate(), authenticate(other.key)])
    await setKey('revoked_at = now()')
    credentials.forget(tenant.keyId)
    expect(await faultOf(authenticate())).toBe('credential_revoked')
    await authenticate(other.key)
    expect(registry.count()).toBe(3)
  })

  it('is dropped even if the query is still running when the change is announced', async () => {
    const early = authenticate()
    credentials.forget(tenant.keyId)
    await setKey('revoked_at = now()')
    await faultOf(early)
    expect(await faultOf(authenticate())).toBe('credential_revoked')
  })

  it('counts from before the query was sent, however long the response took', async () => {
    const asking = authenticate()
    clock.advance(800)
    await asking
    await setKey('revoked_at = now()')
    expect(await faultOf(authenticate())).toBe('credential_revoked')
  })

  it('includes that a key does not exist, so that guessing costs one query per second', async () => {
    const unknown = createKey('tenant').key
    for (let time = 0; time < 5; time += 1)
      expect(await faultOf(authenticate(unknown))).toBe('credential_invalid')
    expect(registry.count()).toBe(1)
  })

  it('does not include a query that failed', async () => {
    registry.failNext(new Error('the database is away'))
    await expect(authenticate()).rejects.toThrow('the database is away')
    expect(await authenticate()).toMatchObject({ tenantId: tenant.tenantId })
  })

  it('is shared by all requests at the same time', async () => {
    const callers = await Promise.all(Array.from({ length: 50 }, () => authenticate()))
    expect(new Set(callers.map(({ tenantId }) => tenantId))).toEqual(new Set([tenant.tenantId]))
    expect(registry.count()).toBe(1)
  })

  it('is shared by all requests at the same time even when the query fails', async () => {
    registry.failNext(new Error('away'))
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => authenticate()))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(registry.count()).toBe(1)
  })
})

describe('invented keys', () => {
  const invent = () => createKey('tenant').key

  it('do not evict a key in use from the cache', async () => {
    const small = createCredentials({
      registry: registry.pool,
      peppers: [pepper],
      monotonicMs: clock.now,
      memorySize: 3,
    })
    await small.authenticateTenant(tenant.key)
    for (let time = 0; time < 5; time += 1) await faultOf(small.authenticateTenant(invent()))
    expect(registry.count()).toBe(6)
    await small.authenticateTenant(tenant.key)
    expect(registry.count()).toBe(6)
  })

  it('delay the key of another source by no more than a few queries', async () => {
    let refused = 0
    await asRole(database(), 'superuser', async (client) => {
      await client.query('begin; lock table keys in access exclusive mode')
      for (let time = 0; time < 60; time += 1)
        void faultOf(credentials.authenticateTenant(invent(), 'a stranger')).then(() => (refused += 1))
      const own = credentials.authenticateTenant(tenant.key, 'the tenant').then(() => refused)
      // Both have their connection and wait for the lock.
      const waiting = async () => {
        // A transaction would go on seeing what it saw first.
        await client.query('select pg_stat_clear_snapshot()')
        const { rows } = await client.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows[0]?.count === 2
      }
      await waitUntil(waiting, { what: 'both questions' })
      await client.query('commit')
      expect(await own).toBeLessThan(20)
    })
    await waitUntil(() => refused === 60, { what: 'the answers to the stranger' })
  })
})

describe('expiry', () => {
  it('is judged by the clock of Postgres and not by that of this process', async () => {
    await setKey(`expires_at = now() + interval '1 hour'`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 365 * 86_400_000 })
    expect(await faultOf(authenticate())).toBeUndefined()
    await setKey(`expires_at = now() - interval '1 second'`)
    vi.setSystemTime(0)
    clock.advance(1_000)
    expect(await faultOf(authenticate())).toBe('credential_expired')
  })

  it('counts the age of the cached entry', async () => {
    await setKey(`expires_at = now() + interval '500 milliseconds'`)
    expect(await faultOf(authenticate())).toBeUndefined()
    clock.advance(600)
    expect(await faultOf(authenticate())).toBe('credential_expired')
    expect(registry.count()).toBe(1)
  })
})

describe('hasRootKey', () => {
  it('is true as long as an admin or internals key is live', async () => {
    expect(await credentials.hasRootKey()).toBe(true)
  })
})
