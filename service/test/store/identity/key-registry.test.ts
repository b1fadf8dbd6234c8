import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  expireRootKey,
  insertRootKey,
  markKeysUsed,
  revokeRootKey,
  rootKeyExists,
  selectCredential,
  selectRootKeys,
} from '../../../src/store/identity/key-registry.ts'
import { useDatabase } from '../../support/database.ts'
import { makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
const registry = () => pools().registry

async function addRootKey(expiresAt: Date | null = null): Promise<{ keyId: string; digest: Buffer }> {
  const row = { keyId: randomBytes(5).toString('hex'), digest: randomBytes(32), pepperId: '0123abcd' }
  await insertRootKey(registry(), 'admin', { ...row, name: 'ops', createdBy: 'operator:test', expiresAt })
  return row
}

describe('selectCredential', () => {
  it('finds a key of any holder with all that a decision needs', async () => {
    const tenant = await makeTenant(pools())
    expect(await selectCredential(registry(), tenant.keyId)).toMatchObject({
      keyId: tenant.keyId,
      tier: 'tenant',
      tenantId: tenant.tenantId,
      revoked: false,
      expiresInMs: null,
    })
    const root = await addRootKey()
    expect(await selectCredential(registry(), root.keyId)).toMatchObject({
      tier: 'admin',
      tenantId: null,
      digest: root.digest,
    })
  })

  it('returns the remaining lifetime of the key by the clock of Postgres', async () => {
    const { keyId } = await addRootKey()
    await asRole(database(), 'superuser', (client) =>
      client.query(`update keys set expires_at = now() + interval '90 seconds' where key_id = $1`, [keyId]),
    )
    const { expiresInMs } = (await selectCredential(registry(), keyId)) ?? {}
    expect(expiresInMs).toBeGreaterThan(80_000)
    expect(expiresInMs).toBeLessThanOrEqual(90_000)
  })

  it('finds nothing for an unknown id', async () => {
    expect(await selectCredential(registry(), '0000000000')).toBeUndefined()
  })
})

describe('root keys', () => {
  it('exist only as long as one of them is live', async () => {
    for (const { keyId } of await selectRootKeys(registry())) await revokeRootKey(registry(), keyId)
    expect(await rootKeyExists(registry())).toBe(false)
    await addRootKey(new Date(Date.now() - 1_000))
    expect(await rootKeyExists(registry())).toBe(false)
    const { keyId } = await addRootKey()
    expect(await rootKeyExists(registry())).toBe(true)
    await revokeRootKey(registry(), keyId)
    expect(await rootKeyExists(registry())).toBe(false)
  })

  it('are listed oldest first, without the keys of tenants', async () => {
    const tenant = await makeTenant(pools())
    const older = await addRootKey()
    const newer = await addRootKey()
    const ids = (await selectRootKeys(registry())).map(({ keyId }) => keyId)
    expect(ids).not.toContain(tenant.keyId)
    expect(ids.slice(-2)).toEqual([older.keyId, newer.keyId])
  })

  it('are never made live for longer by expiring them', async () => {
    const { keyId } = await addRootKey()
    const first = await expireRootKey(registry(), keyId, 60)
    const second = await expireRootKey(registry(), keyId, 86_400)
    expect(first?.expiresAt).toBeInstanceOf(Date)
    expect(second?.expiresAt).toEqual(first?.expiresAt)
  })

  it('are revoked once: the first instant stays, and a key of a tenant is not touched', async () => {
    const { keyId } = await addRootKey()
    const first = await revokeRootKey(registry(), keyId)
    expect((await revokeRootKey(registry(), keyId))?.revokedAt).toEqual(first?.revokedAt)
    expect(await expireRootKey(registry(), keyId, 60)).toBeUndefined()
    const tenant = await makeTenant(pools())
    expect(await revokeRootKey(registry(), tenant.keyId)).toBeUndefined()
    expect(await expireRootKey(registry(), tenant.keyId, 60)).toBeUndefined()
  })
})

describe('markKeysUsed', () => {
  it('notes the use of all keys named, of whichever holder, and of no other', async () => {
    const [tenant, other] = [await makeTenant(pools()), await makeTenant(pools())]
    const root = await addRootKey()
    await markKeysUsed(registry(), [tenant.keyId, root.keyId, '0000000000'])
    const { rows } = await asRole(database(), 'registrar', (client) =>
      client.query<{ key_id: string }>('select key_id from keys where last_used_at is not null'),
    )
    expect(new Set(rows.map((row) => row.key_id))).toEqual(new Set([tenant.keyId, root.keyId]))
    expect(rows).not.toContainEqual({ key_id: other.keyId })
  })
})
