import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { createScope, getScope, listScopes, openScopeDataKey } from '../../../src/app/scopes/scopes.ts'
import { encodeCursor } from '../../../src/app/pages.ts'
import { openSealed, seal, SealError } from '../../../src/platform/sealing.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { useDatabase } from '../../support/database.ts'
import { faultOf } from '../../support/faults.ts'
import { auditor, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { policyEngine } from '../../support/policies.ts'
import { usePools } from '../../support/pools.ts'
import { asRole } from '../../support/sessions.ts'

const database = useDatabase()
const pools = usePools(database)
const deps = () => ({ pools: pools(), masterKeys, auditor, policyEngine })
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(pools())
})

const create = (scopeId: string, who = tenant) =>
  createScope(deps(), who.caller, { scopeId, displayName: 'Case' })

const dataKey = async (
  who = tenant,
  masters: typeof masterKeys | { id: string; bytes: Buffer }[] = masterKeys,
) => inTenant(pools().tenant, who.tenantId, (own) => openScopeDataKey(masters, own, 'default'))

const keyRows = async (tenantId: string) =>
  asRole(database(), 'superuser', async (client) => {
    const { rows } = await client.query('select scope_id, epoch from scope_keys where tenant_id = $1', [
      tenantId,
    ])
    return rows
  })

describe('createScope', () => {
  it('creates the scope together with a data key of its first generation', async () => {
    expect(await create('default')).toMatchObject({ scopeId: 'default', displayName: 'Case', epoch: 0 })
    expect(await keyRows(tenant.tenantId)).toEqual([{ scope_id: 'default', epoch: 0 }])
  })

  it('creates neither if the data key cannot be wrapped', async () => {
    const broken = { ...deps(), masterKeys: [] }
    const what = { scopeId: 'default', displayName: null }
    await expect(createScope(broken, tenant.caller, what)).rejects.toThrow(SealError)
    expect(await faultOf(getScope(deps(), tenant.caller, 'default'))).toBe('scope_not_found')
  })

  it('creates neither if its policy is invalid', async () => {
    const what = { scopeId: 'default', displayName: null, policy: 'permit everything' }
    expect(await faultOf(createScope(deps(), tenant.caller, what))).toBe('policy_invalid')
    expect(await faultOf(getScope(deps(), tenant.caller, 'default'))).toBe('scope_not_found')
  })

  it('refuses a scope that exists, and keeps its data key', async () => {
    await create('default')
    const before = await dataKey()
    expect(await faultOf(create('default'))).toBe('scope_exists')
    expect(await dataKey()).toEqual(before)
  })

  it('creates one scope with one key for many requests at the same time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => faultOf(create('default'))))
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set([undefined, 'scope_exists']))
    expect(await keyRows(tenant.tenantId)).toHaveLength(1)
  })

  it('lets two tenants have a scope with the same id, each with its own key', async () => {
    const other = await makeTenant(pools())
    await Promise.all([create('default'), create('default', other)])
    expect((await dataKey()).bytes.equals((await dataKey(other)).bytes)).toBe(false)
  })
})

/** Does what somebody who holds the whole database can do, whatever its triggers refuse. */
const withoutTriggers = (client: Client) => client.query('set session_replication_role = replica')

describe('openScopeDataKey', () => {
  it('returns the same 32 bytes every time, which decrypt what they sealed', async () => {
    await create('default')
    const { bytes, epoch } = await dataKey()
    const sealed = seal(bytes, ['text'], Buffer.from('a claim'))
    expect(epoch).toBe(0)
    expect(bytes).toHaveLength(32)
    expect(openSealed((await dataKey()).bytes, ['text'], sealed).toString()).toBe('a claim')
  })

  it('does not open a data key that was moved to another tenant', async () => {
    const other = await makeTenant(pools())
    await Promise.all([create('default'), create('default', other)])
    await asRole(database(), 'superuser', async (client) => {
      await withoutTriggers(client)
      await client.query(
        `update scope_keys set wrapped_key = (select wrapped_key from scope_keys where tenant_id = $1)
          where tenant_id = $2`,
        [tenant.tenantId, other.tenantId],
      )
    })
    await expect(dataKey(other)).rejects.toThrow(SealError)
    expect((await dataKey()).bytes).toHaveLength(32)
  })

  it('does not open a data key that was moved to another generation', async () => {
    await create('default')
    await asRole(database(), 'superuser', async (client) => {
      await withoutTriggers(client)
      await client.query('update scope_keys set epoch = 1 where tenant_id = $1', [tenant.tenantId])
      await client.query('update scopes set epoch = 1 where tenant_id = $1', [tenant.tenantId])
    })
    await expect(dataKey()).rejects.toThrow(SealError)
  })

  it('opens with the old master key listed after the new one, and names it if it is missing', async () => {
    await create('default')
    const young = { id: 'mk2', bytes: randomBytes(32) }
    expect((await dataKey(tenant, [young, ...masterKeys])).bytes).toHaveLength(32)
    await expect(dataKey(tenant, [young])).rejects.toThrow(/mk1 is not configured/)
  })

  it('finds nothing for a scope of another tenant', async () => {
    const other = await makeTenant(pools())
    await create('default', other)
    expect(await faultOf(dataKey())).toBe('scope_not_found')
  })

  it('is stored wrapped: the bytes themselves are nowhere in the table', async () => {
    await create('default')
    const { bytes } = await dataKey()
    const { rows } = await asRole(database(), 'superuser', (client) =>
      client.query<{ wrapped_key: Buffer }>('select wrapped_key from scope_keys where tenant_id = $1', [
        tenant.tenantId,
      ]),
    )
    expect(rows[0]?.wrapped_key.includes(bytes)).toBe(false)
  })
})

describe('reading scopes', () => {
  it('answers a scope of another tenant exactly like one that does not exist', async () => {
    const other = await makeTenant(pools())
    await create('secret', other)
    expect(await faultOf(getScope(deps(), tenant.caller, 'secret'))).toBe('scope_not_found')
    expect(await faultOf(getScope(deps(), tenant.caller, 'nowhere'))).toBe('scope_not_found')
  })

  it('pages through the scopes of the tenant only, in order, each once', async () => {
    const other = await makeTenant(pools())
    for (const id of ['c', 'a', 'b', 'e', 'd']) await Promise.all([create(id), create(`${id}-other`, other)])
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listScopes(deps(), tenant.caller, { limit: 2, cursor })
      seen.push(...page.items.map(({ scopeId }) => scopeId))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('shows nothing of another tenant through a cursor that was taken from it', async () => {
    const other = await makeTenant(pools())
    await create('zebra', other)
    await create('own')
    const page = await listScopes(deps(), tenant.caller, { limit: 2, cursor: encodeCursor(['a']) })
    expect(page.items.map(({ scopeId }) => scopeId)).toEqual(['own'])
  })
})
