import { beforeEach, describe, expect, it } from 'vitest'
import { insertScope, selectScope, selectScopes } from '../../../src/store/scopes/scopes.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import type { TenantTransaction } from '../../../src/store/transaction.ts'
import { useDatabase } from '../../support/database.ts'
import { makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(pools())
})

const inOwn = <Result>(work: (transaction: TenantTransaction) => Promise<Result>) =>
  inTenant(pools().tenant, tenant.tenantId, work)

const add = (scopeId: string) =>
  inOwn((transaction) => insertScope(transaction, { scopeId, displayName: 'Case', createdBy: 'test' }))

describe('a scope', () => {
  it('is read back as it was written, in its first generation', async () => {
    const added = await add('acme-due-diligence')
    expect(added).toMatchObject({ scopeId: 'acme-due-diligence', displayName: 'Case', epoch: 0 })
    expect(await inOwn((transaction) => selectScope(transaction, 'acme-due-diligence'))).toEqual(added)
  })

  it('is added once a tenant, and once for each of two tenants', async () => {
    expect(await add('default')).toBeDefined()
    expect(await add('default')).toBeUndefined()
    tenant = await makeTenant(pools())
    expect(await add('default')).toBeDefined()
  })

  it('is added once when many try at the same moment', async () => {
    const added = await Promise.all(Array.from({ length: 8 }, () => add('contended')))
    expect(added.filter((scope) => scope !== undefined)).toHaveLength(1)
  })

  it.each(['', '-a', 'A', 'a b', 'a_b', 'é', 'a'.repeat(121)])(
    'is refused by the table as %j',
    async (scopeId) => {
      await expect(add(scopeId)).rejects.toMatchObject({ code: '23514' })
    },
  )

  it('may have 120 characters', async () => {
    expect((await add('a'.repeat(120)))?.scopeId).toHaveLength(120)
  })
})

describe('pages of scopes', () => {
  it('come in the order of bytes, whatever the language of the server, and each scope once', async () => {
    const ids = ['0', 'a', 'a-', 'a-b', 'a0', 'aa', 'b', 'b--c', 'z9']
    for (const id of ids.toReversed()) await add(id)
    const seen: string[] = []
    let after: string | undefined
    for (let page = 0; page < ids.length; page += 1) {
      const rows = await inOwn((transaction) => selectScopes(transaction, after, 2))
      seen.push(...rows.map(({ scopeId }) => scopeId))
      after = rows.at(-1)?.scopeId
      if (rows.length < 2) break
    }
    expect(seen).toEqual(ids.toSorted())
  })
})
