/** listScopes: the scopes of the tenant whose key the administrator sends. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePages, firstCursor, walk } from '../../rules/pages.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { NO_DOCUMENTS } from '../../rules/scope-summaries.ts'
import { describeTenantHeader } from '../../rules/tenant-header.ts'
import { createSubject } from '../../subject.ts'
import { ingest, register } from '../../world/documents.ts'
import { move, scopeSwitch } from '../../world/runtime.ts'
import { asAdmin, asAdminOf, createScope, createTenant } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

interface Item {
  readonly scope_id: string
}

const subject = createSubject('listScopes')
/** In the order of their code points, which is not the order of any dictionary. */
const scopeIds = ['0', '00', '1a', 'a', 'a-', 'a-b', 'a0', 'aa', 'b']
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  for (const scopeId of scopeIds.toReversed()) await createScope(tenant, scopeId)
})

const good = () => ({ headers: asAdminOf(tenant) })

describe('listScopes: 200', () => {
  it('shows each scope as it was created', async () => {
    const owner = await createTenant()
    const made = [await createScope(owner, 'one', 'First'), await createScope(owner, 'two')]
    const { items, next_cursor: next } = subject.expectAnswer(
      await subject.call({ headers: asAdminOf(owner) }),
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

  it('shows of each how it runs and where its documents stand', async () => {
    const owner = await createTenant()
    for (const scopeId of ['busy', 'idle']) await createScope(owner, scopeId)
    await move(scopeSwitch(owner, 'busy'), 'pause')
    await ingest(owner, 'busy')
    await register(owner, 'busy')
    const { items } = subject.expectAnswer(await subject.call({ headers: asAdminOf(owner) }), 200)
    expect(items.map(({ runtime, documents }) => [runtime.effective, documents])).toEqual([
      ['paused', { total: 2, by_status: { ...NO_DOCUMENTS, queued: 1, registered: 1 } }],
      ['running', { total: 0, by_status: NO_DOCUMENTS }],
    ])
  })

  it('is empty for a tenant without scopes', async () => {
    const reply = await subject.call({ headers: asAdminOf(await createTenant()) })
    expect(subject.expectAnswer(reply, 200)).toEqual({ items: [], next_cursor: null })
  })

  it('has exactly the scopes of the tenant, in the order of their ids', async () => {
    const [page] = await walk<Item>(subject, good(), 100)
    expect(page?.items.map((item) => item.scope_id)).toEqual(scopeIds)
  })

  it('misses and repeats nothing while scopes are added during the walk', async () => {
    const owner = await createTenant()
    for (const scopeId of ['b', 'd', 'f', 'h']) await createScope(owner, scopeId)
    const call = { headers: asAdminOf(owner) }
    const cursor = await firstCursor(subject, call)
    await createScope(owner, 'a')
    await createScope(owner, 'e')
    const rest = await walk<Item>(subject, call, 1, cursor)
    expect(rest.flatMap((page) => page.items.map((item) => item.scope_id))).toEqual(['d', 'e', 'f', 'h'])
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
describeTenantHeader(subject, good)
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
