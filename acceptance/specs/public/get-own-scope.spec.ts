/** getOwnScope: one scope of the tenant whose key is sent. */
import { beforeAll, describe, expect, it } from 'vitest'
import { sameForAll } from '../../problem-document.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
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
  it('answers with the scope and nothing else', async () => {
    expect(subject.expectAnswer(await subject.call(good()), 200)).toEqual({
      scope_id: scopeId,
      display_name: 'Acme: purchase of Borealis',
      epoch: expect.any(Number),
      created_at: expect.any(String),
    })
  })

  it('finds an id of 120 characters', async () => {
    const longest = 'z'.repeat(120)
    const made = await createScope(tenant, longest)
    expect(subject.expectAnswer(await read(longest), 200)).toEqual(made)
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

describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
