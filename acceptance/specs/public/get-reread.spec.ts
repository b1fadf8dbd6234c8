/** getReread: how far the reread of a scope has come. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { make } from '../../world/making.ts'
import { untilRereadEnded } from '../../world/rereads.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getReread')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const ask = (scope: string) => ({ headers: bearer(tenant.key), params: { scopeId: scope } })
const good = () => ask(scopeId)

describe('getReread: 200', () => {
  it('says so where nobody asked for one', async () => {
    expect(subject.expectAnswer(await subject.call(good()), 200)).toEqual({
      scope_id: scopeId,
      state: 'none',
      read_by: null,
      documents_named: null,
      documents_queued: 0,
      documents_read: 0,
      requested_at: null,
      ended_at: null,
    })
  })

  it('shows the last one, also after its end', async () => {
    const { scope_id: scope } = await createScope(tenant)
    const begun = await make('rereadScope', { ...ask(scope), body: { read_by: 'rules' } })
    const last = await untilRereadEnded(tenant, scope)
    expect(last).toEqual({ ...begun, state: 'ended', ended_at: expect.any(String) })
    expect(subject.expectAnswer(await subject.call(ask(scope)), 200)).toEqual(last)
  })
})

describeScopePlace(subject, ask)
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
