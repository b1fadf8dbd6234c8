/** listOwnScopes: a tenant's scopes, as its own applications see them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePages, firstCursor, walk } from '../../rules/pages.ts'
import { NO_DOCUMENTS } from '../../rules/scope-summaries.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { asAdmin, bearer, createScope, createTenant } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

interface Item {
  readonly scope_id: string
}

const subject = createSubject('listOwnScopes')
/** One more than a page holds when nothing is said. */
const scopeIds = Array.from({ length: 51 }, (_, index) => `scope-${String(index).padStart(2, '0')}`)
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await Promise.all(scopeIds.map((scopeId) => createScope(tenant, scopeId)))
})

const good = () => ({ headers: bearer(tenant.key) })

describe('listOwnScopes: 200', () => {
  it('shows each scope as it was created', async () => {
    const owner = await createTenant()
    const made = [await createScope(owner, 'one', 'First'), await createScope(owner, 'two')]
    const { items, next_cursor: next } = subject.expectAnswer(
      await subject.call({ headers: bearer(owner.key) }),
      200,
    )
    expect(items).toEqual(
      made.map((scope) => ({
        ...scope,
        runtime: { own: 'running', effective: 'running', generation: 0 },
        documents: { total: 0, by_status: NO_DOCUMENTS },
        convergence: { score: 0, state: 'empty' },
      })),
    )
    expect(next).toBeNull()
  })

  it('is empty for a tenant without scopes', async () => {
    const reply = await subject.call({ headers: bearer((await createTenant()).key) })
    expect(subject.expectAnswer(reply, 200)).toEqual({ items: [], next_cursor: null })
  })

  it('shows 50 when no limit is given, and where to go on', async () => {
    const first = subject.expectAnswer(await subject.call(good()), 200)
    expect(first.items.map((item) => item.scope_id)).toEqual(scopeIds.slice(0, 50))
    const rest = subject.expectAnswer(
      await subject.call({ ...good(), query: `cursor=${first.next_cursor}` }),
      200,
    )
    expect(rest).toMatchObject({ items: [{ scope_id: scopeIds[50] }], next_cursor: null })
  })

  it('has exactly the scopes of the tenant, in the order of their ids', async () => {
    const [page] = await walk<Item>(subject, good(), 100)
    expect(page?.items.map((item) => item.scope_id)).toEqual(scopeIds)
  })

  it('ends where the list ends, also when the last page is full', async () => {
    const pages = await walk<Item>(subject, good(), 17)
    expect(pages.map((page) => page.items.length)).toEqual([17, 17, 17])
  })
})

describePages<Item>(subject, {
  list: good,
  idOf: (item) => item.scope_id,
  present: () => scopeIds,
  foreignCursor: async () => {
    await createTenant()
    return firstCursor(createSubject('listTenants'), { headers: asAdmin() })
  },
})
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
