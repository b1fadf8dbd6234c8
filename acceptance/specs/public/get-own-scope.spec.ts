/** getOwnScope: one scope of the tenant whose key is sent. */
import { beforeAll, describe, expect, it } from 'vitest'
import { sameForAll } from '../../problem-document.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeSummary } from '../../rules/scope-summaries.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { make } from '../../world/making.ts'
import { asAdminOf, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getOwnScope')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId, 'Acme: purchase of Borealis')
})

const good = () => ({ headers: bearer(tenant.key), params: { scopeId } })
const read = (name: string, { key }: Tenant = tenant) =>
  subject.call({ headers: bearer(key), params: { scopeId: name } })

describe('getOwnScope: 200', () => {
  it('shows exactly what its administrator sees', async () => {
    const own = subject.expectAnswer(await subject.call(good()), 200)
    expect(own.display_name).toBe('Acme: purchase of Borealis')
    expect(await make('getScopeSummary', { headers: asAdminOf(tenant), params: { scopeId } })).toEqual(own)
  })

  it('finds an id of 120 characters', async () => {
    const longest = 'z'.repeat(120)
    const made = await createScope(tenant, longest)
    expect(subject.expectAnswer(await read(longest), 200)).toMatchObject(made)
  })

  it('changes nothing by reading', async () => {
    const [once, again] = [await read(scopeId), await read(scopeId)]
    expect(again.text).toBe(once.text)
  })
})

describe('getOwnScope: 404', () => {
  it.each(['unknown', '0', 'a'.repeat(120), 'null', 'undefined'])('does not know %s', async (name) => {
    subject.expectProblem(await read(name), 'scope_not_found')
  })

  it('does not know the scope of another tenant, and says so in the same words', async () => {
    const other = await createTenant()
    const foreign = await createScope(other)
    const reply = await read(foreign.scope_id)
    subject.expectProblem(reply, 'scope_not_found')
    expect(sameForAll(reply)).toEqual(sameForAll(await read(newScopeId())))
    subject.expectAnswer(await read(foreign.scope_id, other), 200)
  })
})

describeSummary(subject, (owner, scope) => ({ headers: bearer(owner.key), params: { scopeId: scope } }))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
