import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  insertTenant,
  lockTenant,
  selectTenant,
  selectTenants,
  tenantExists,
} from '../../../src/store/identity/tenants.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { useDatabase } from '../../support/database.ts'
import { makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)

describe('pages of tenants', () => {
  it('neither skip nor repeat rows that were created in the same millisecond', async () => {
    const ids = Array.from({ length: 50 }, () => randomUUID())
    await asRole(database(), 'superuser', (client) =>
      client.query(
        `insert into tenants (tenant_id, name, created_at)
         select id, 'T' || place, '2020-01-01 00:00:00.5+00'::timestamptz + place / 3 * interval '1 microsecond'
           from unnest($1::uuid[]) with ordinality as each(id, place)`,
        [ids],
      ),
    )
    const seen: string[] = []
    let after: { createdAtMicros: string; tenantId: string } | undefined
    for (let page = 0; page < 30; page += 1) {
      const rows = await selectTenants(pools().registry, after, 7)
      seen.push(...rows.map(({ tenantId }) => tenantId))
      after = rows.at(-1)?.position
      if (rows.length < 7) break
    }
    expect(seen).toHaveLength(ids.length)
    expect(new Set(seen)).toEqual(new Set(ids))
  })
})

describe('a tenant', () => {
  it('is read inside its own transaction, and only there', async () => {
    const [acme, other] = [await makeTenant(pools(), 'Acme'), await makeTenant(pools())]
    const own = await inTenant(pools().tenant, acme.tenantId, selectTenant)
    expect(own).toMatchObject({ tenantId: acme.tenantId, name: 'Acme' })
    expect((await inTenant(pools().tenant, other.tenantId, selectTenant))?.tenantId).toBe(other.tenantId)
    expect(await inTenant(pools().tenant, randomUUID(), selectTenant)).toBeUndefined()
  })

  it('is known to exist before any transaction in its name', async () => {
    const { tenantId } = await makeTenant(pools())
    expect(await tenantExists(pools().registry, tenantId)).toBe(true)
    expect(await tenantExists(pools().registry, randomUUID())).toBe(false)
  })

  it('cannot be added twice', async () => {
    const { tenantId } = await makeTenant(pools())
    const again = inTenant(pools().tenant, tenantId, (transaction) => insertTenant(transaction, 'again'))
    await expect(again).rejects.toMatchObject({ code: '23505' })
  })
})

describe('lockTenant', () => {
  it('finds no tenant that does not exist', async () => {
    expect(await inTenant(pools().tenant, randomUUID(), lockTenant)).toBe(false)
  })

  it('lets those who count something of the tenant come one at a time', async () => {
    const { tenantId } = await makeTenant(pools())
    let inside = 0
    let most = 0
    const visit = () =>
      inTenant(pools().tenant, tenantId, async (transaction) => {
        expect(await lockTenant(transaction)).toBe(true)
        most = Math.max(most, (inside += 1))
        await transaction.connection.query('select pg_sleep(0.01)')
        inside -= 1
      })
    await Promise.all(Array.from({ length: 4 }, visit))
    expect(most).toBe(1)
  })
})
