/** listTenantKeys: all keys of a tenant, dead ones too, without their secrets. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePages, firstCursor } from '../../rules/pages.ts'
import { describeParams } from '../../rules/params.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { keyIdOf } from '../../world/keys.ts'
import { asAdmin, createTenant, expiredKeyOf, issueKey, revokedKeyOf } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

interface Item {
  readonly key_id: string
}

const subject = createSubject('listTenantKeys')
let tenant: Tenant
/** Whole keys, in the order they were made. */
let keys: string[]

beforeAll(async () => {
  tenant = await createTenant()
  const named = await issueKey(tenant, { name: 'nightly job', expires_at: '2999-01-01T00:00:00Z' })
  keys = [tenant.key, named.api_key, await revokedKeyOf(tenant), await expiredKeyOf(tenant)]
})

const good = () => ({ headers: asAdmin(), params: { tenantId: tenant.tenantId } })

async function listed() {
  const { items } = subject.expectAnswer(await subject.call(good()), 200)
  return new Map(items.map((item) => [item.key_id, item]))
}

describe('listTenantKeys: 200', () => {
  it('shows everything of a key but its secret', async () => {
    const [, key = ''] = keys
    expect((await listed()).get(keyIdOf(key))).toEqual({
      key_id: keyIdOf(key),
      key_prefix: `ck_t_${keyIdOf(key)}`,
      name: 'nightly job',
      status: 'live',
      created_at: expect.any(String),
      created_by: `ck_a_${keyIdOf(theTarget().adminKey)}`,
      expires_at: '2999-01-01T00:00:00.000Z',
      revoked_at: null,
      last_used_at: null,
    })
  })

  it('shows no secret of any key', async () => {
    const { text } = await subject.call(good())
    expect(keys.filter((key) => text.includes(key.slice('ck_t_1234567890_'.length)))).toEqual([])
  })

  it('shows the dead ones, and how they died', async () => {
    const all = await listed()
    const [first = '', , revoked = '', expired = ''] = keys
    expect(all.get(keyIdOf(first))).toMatchObject({ status: 'live', expires_at: null, revoked_at: null })
    expect(all.get(keyIdOf(revoked))).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) })
    expect(all.get(keyIdOf(expired))).toMatchObject({ status: 'expired', expires_at: expect.any(String) })
  })

  it('shows the keys of this tenant alone', async () => {
    const other = await createTenant()
    expect((await listed()).has(other.keyId)).toBe(false)
  })
})

describe('listTenantKeys: 404', () => {
  it('does not know a tenant that does not exist', async () => {
    const reply = await subject.call({ ...good(), params: { tenantId: randomUUID() } })
    subject.expectProblem(reply, 'tenant_not_found')
  })
})

describePages<Item>(subject, {
  list: good,
  idOf: (item) => item.key_id,
  present: () => keys.map(keyIdOf),
  foreignCursor: async () => {
    await createTenant()
    return firstCursor(createSubject('listTenants'), { headers: asAdmin() })
  },
})
describeParams(subject, good, 'tenantId')
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
