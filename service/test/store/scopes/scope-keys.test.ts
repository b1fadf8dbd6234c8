import { beforeEach, describe, expect, it } from 'vitest'
import { insertScopeKey, selectScopeKey } from '../../../src/store/scopes/scope-keys.ts'
import { insertScope } from '../../../src/store/scopes/scopes.ts'
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

const inOwn = <Result>(work: (transaction: TenantTransaction) => Promise<Result>) =>
  inTenant(pools().tenant, tenant.tenantId, work)

const wrapped = (byte: number) => ({ masterKeyId: 'mk1', wrapped: Buffer.alloc(61, byte) })

const setEpoch = (epoch: number) =>
  asRole(database(), 'superuser', (client) =>
    client.query('update scopes set epoch = $2 where tenant_id = $1', [tenant.tenantId, epoch]),
  )

beforeEach(async () => {
  tenant = await makeTenant(pools())
  await inOwn((own) => insertScope(own, { scopeId: 'default', displayName: null, createdBy: 'test' }))
})

describe('the data key of a scope', () => {
  it('is the one of the present generation', async () => {
    await inOwn((own) => insertScopeKey(own, 'default', 0, wrapped(0)))
    await inOwn((own) => insertScopeKey(own, 'default', 1, wrapped(1)))
    expect(await inOwn((own) => selectScopeKey(own, 'default'))).toEqual({
      epoch: 0,
      sealedPrintKey: null,
      ...wrapped(0),
    })
    await setEpoch(1)
    expect(await inOwn((own) => selectScopeKey(own, 'default'))).toEqual({
      epoch: 1,
      sealedPrintKey: null,
      ...wrapped(1),
    })
  })

  it('is not found when the present generation has none, or the scope does not exist', async () => {
    await inOwn((own) => insertScopeKey(own, 'default', 0, wrapped(0)))
    await setEpoch(1)
    expect(await inOwn((own) => selectScopeKey(own, 'default'))).toBeUndefined()
    expect(await inOwn((own) => selectScopeKey(own, 'nowhere'))).toBeUndefined()
  })

  it('belongs to a scope of the same tenant', async () => {
    const added = inOwn((own) => insertScopeKey(own, 'nowhere', 0, wrapped(0)))
    await expect(added).rejects.toMatchObject({ code: '23503' })
  })

  it('is written once a generation', async () => {
    await inOwn((own) => insertScopeKey(own, 'default', 0, wrapped(0)))
    const again = inOwn((own) => insertScopeKey(own, 'default', 0, wrapped(1)))
    await expect(again).rejects.toMatchObject({ code: '23505' })
  })

  it('is deleted with its scope', async () => {
    await inOwn((own) => insertScopeKey(own, 'default', 0, wrapped(0)))
    await asRole(database(), 'superuser', async (client) => {
      await client.query('delete from scopes where tenant_id = $1', [tenant.tenantId])
      const { rows } = await client.query('select from scope_keys where tenant_id = $1', [tenant.tenantId])
      expect(rows).toEqual([])
    })
  })
})
