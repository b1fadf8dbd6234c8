/** getKernelConvergence: how settled the scopes of all tenants are, under its path and under the deprecated one. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeDeprecatedAlias } from '../../rules/deprecated-alias.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { createSubject } from '../../subject.ts'
import type { SubjectCall } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { contradict } from '../../world/claims.ts'
import { bearer, createScope, createTenant } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getKernelConvergence')
const good = (): SubjectCall => ({ headers: bearer(theTarget().internalsKey) })
const scopes = ['one', 'three', 'two']
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  for (const scope of scopes) await createScope(tenant, scope)
  await contradict(tenant, 'two')
})

const list = async (query: string, call = good()) =>
  subject.expectAnswer(await subject.call({ ...call, query }), 200)

describe('getKernelConvergence: 200', () => {
  it('shows the scopes of a tenant in the order of their ids, with figures and nothing else', async () => {
    const { items, next_cursor: next } = await list(`tenant_id=${tenant.tenantId}`)
    expect(items.map(({ scope_id: id }) => id)).toEqual(scopes)
    expect(next).toBeNull()
    const empty = { score: 0, state: 'empty', blockers_total: 0 }
    expect(items).toMatchObject([
      { tenant_id: tenant.tenantId, ...empty },
      empty,
      { blockers_total: 1, parts: { coverage: 1 } },
    ])
  })

  it('shows one scope', async () => {
    const { items } = await list(`tenant_id=${tenant.tenantId}&scope_id=two`)
    expect(items.map(({ scope_id: id }) => id)).toEqual(['two'])
    expect((await list(`tenant_id=${tenant.tenantId}&scope_id=four`)).items).toEqual([])
  })

  it('goes on from page to page, through all tenants, each scope once', async () => {
    const first = await list('limit=2')
    expect(first.items).toHaveLength(2)
    const second = await list(`limit=2&cursor=${first.next_cursor}`)
    const places = [...first.items, ...second.items].map((item) => `${item.tenant_id} ${item.scope_id}`)
    expect(places).toEqual([...new Set(places)].toSorted())
  })

  it.each(['cursor=abc', 'limit=0', 'limit=101', 'tenant_id=x', 'scope_id=A'])(
    'refuses %s',
    async (query) => {
      subject.expectProblem(await subject.call({ ...good(), query }), 'validation_failed')
    },
  )
})

async function expectScopes(call: SubjectCall): Promise<void> {
  expect((await list(`tenant_id=${tenant.tenantId}`, call)).items).toHaveLength(scopes.length)
}

describeDeprecatedAlias(subject, '/internals/convergence', expectScopes)
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
