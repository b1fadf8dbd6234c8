import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  countLiveKeys,
  expireTenantKey,
  insertTenantKey,
  revokeTenantKey,
  selectTenantKey,
  selectTenantKeys,
} from '../../../src/store/identity/keys.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import type { TenantTransaction } from '../../../src/store/transaction.ts'
import { useDatabase } from '../../support/database.ts'
import { makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(pools())
})

const inOwn = <Result>(work: (transaction: TenantTransaction) => Promise<Result>) =>
  inTenant(pools().tenant, tenant.tenantId, work)

/** Rows as a busy second leaves them: several in one millisecond, some in the very same microsecond. */
async function addKeysAt(instants: readonly string[]): Promise<string[]> {
  const ids = instants.map(() => randomBytes(5).toString('hex'))
  await asRole(database(), 'superuser', (client) =>
    client.query(
      `insert into keys (key_id, tier, tenant_id, digest, created_by, created_at)
       select id, 'tenant', $1, decode(repeat('00', 32), 'hex'), 'test', at::timestamptz
         from unnest($2::text[], $3::text[]) as each(id, at)`,
      [tenant.tenantId, ids, instants],
    ),
  )
  return ids
}

async function setKey(assignment: string): Promise<void> {
  await asRole(database(), 'superuser', (client) =>
    client.query(`update keys set ${assignment} where key_id = $1`, [tenant.keyId]),
  )
}

const key = () => inOwn((transaction) => selectTenantKey(transaction, tenant.keyId))

describe('pages of keys', () => {
  it('neither skip nor repeat rows that were created in the same millisecond', async () => {
    const instants = Array.from({ length: 40 }, (_, index) => {
      const micros = String(123_000 + Math.floor(index / 3)).padStart(6, '0')
      return `2020-01-01 00:00:00.${micros}+00`
    })
    const ids = await addKeysAt(instants)
    const seen: string[] = []
    let after: { createdAtMicros: string; keyId: string } | undefined
    for (let page = 0; page < 20; page += 1) {
      const rows = await inOwn((transaction) => selectTenantKeys(transaction, after, 4))
      seen.push(...rows.map(({ keyId }) => keyId))
      after = rows.at(-1)?.position
      if (rows.length < 4) break
    }
    expect(seen).toHaveLength(41)
    expect(new Set(seen)).toEqual(new Set([...ids, tenant.keyId]))
  })

  it('come oldest first', async () => {
    const [first = ''] = await addKeysAt(['2001-01-01 00:00:00+00', '2002-01-01 00:00:00+00'])
    const page = await inOwn((transaction) => selectTenantKeys(transaction, undefined, 1))
    expect(page.map(({ keyId }) => keyId)).toEqual([first])
  })

  it('hold keys of the tenant alone', async () => {
    await makeTenant(pools())
    const rows = await inOwn((transaction) => selectTenantKeys(transaction, undefined, 100))
    expect(rows.map(({ keyId }) => keyId)).toEqual([tenant.keyId])
  })
})

describe('a key', () => {
  it('is found by its tenant and by no other', async () => {
    const other = await makeTenant(pools())
    expect(await key()).toMatchObject({
      keyId: tenant.keyId,
      tier: 'tenant',
      revokedAt: null,
      expired: false,
    })
    const seen = await inTenant(pools().tenant, other.tenantId, (own) => selectTenantKey(own, tenant.keyId))
    expect(seen).toBeUndefined()
  })

  it('is never returned with its digest', async () => {
    expect(Object.keys((await key()) ?? {})).not.toContain('digest')
  })

  it('keeps the first instant of its revocation', async () => {
    const first = await inOwn((transaction) => revokeTenantKey(transaction, tenant.keyId))
    const second = await inOwn((transaction) => revokeTenantKey(transaction, tenant.keyId))
    expect(first?.revokedAt).toBeInstanceOf(Date)
    expect(second?.revokedAt).toEqual(first?.revokedAt)
  })

  it('is revoked by its own tenant alone', async () => {
    const other = await makeTenant(pools())
    const revoked = await inTenant(pools().tenant, other.tenantId, (own) =>
      revokeTenantKey(own, tenant.keyId),
    )
    expect(revoked).toBeUndefined()
    expect((await key())?.revokedAt).toBeNull()
  })

  it('is expired by the clock of Postgres', async () => {
    await setKey(`expires_at = now() - interval '1 second'`)
    expect(await key()).toMatchObject({ expired: true })
    await setKey(`expires_at = now() + interval '1 hour'`)
    expect(await key()).toMatchObject({ expired: false })
  })
})

describe('expireTenantKey', () => {
  const expire = (seconds: number) =>
    inOwn((transaction) => expireTenantKey(transaction, tenant.keyId, seconds))

  it('shortens a life without end', async () => {
    const end = await expire(60)
    expect(end?.getTime()).toBeGreaterThan(Date.now() + 30_000)
    expect(end?.getTime()).toBeLessThan(Date.now() + 90_000)
  })

  it('never lengthens a life, however often it is called', async () => {
    const first = await expire(60)
    expect(await expire(3_600)).toEqual(first)
    expect(await expire(2_592_000)).toEqual(first)
  })

  it('does not revive a key that has expired or was revoked', async () => {
    await setKey(`expires_at = now() - interval '1 second'`)
    expect(await expire(60)).toBeUndefined()
    await setKey('expires_at = null, revoked_at = now()')
    expect(await expire(60)).toBeUndefined()
  })
})

describe('countLiveKeys', () => {
  it('counts keys that are neither expired nor revoked', async () => {
    const live = () => inOwn(countLiveKeys)
    expect(await live()).toBe(1)
    const row = { digest: randomBytes(32), pepperId: '0123abcd', name: null, createdBy: 'test' }
    const past = new Date(Date.now() - 1_000)
    const future = new Date(Date.now() + 60_000)
    await inOwn((own) =>
      insertTenantKey(own, { ...row, keyId: randomBytes(5).toString('hex'), expiresAt: past }),
    )
    expect(await live()).toBe(1)
    await inOwn((own) =>
      insertTenantKey(own, { ...row, keyId: randomBytes(5).toString('hex'), expiresAt: future }),
    )
    expect(await live()).toBe(2)
    await inOwn((own) => revokeTenantKey(own, tenant.keyId))
    expect(await live()).toBe(1)
  })
})
