/** getScopeSummary: a scope at one glance. */
import { beforeAll } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { describeSummary } from '../../rules/scope-summaries.ts'
import { describeTenantHeader } from '../../rules/tenant-header.ts'
import { createSubject } from '../../subject.ts'
import { asAdminOf, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getScopeSummary')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const ask = (owner: Tenant, scope: string) => ({ headers: asAdminOf(owner), params: { scopeId: scope } })
const good = () => ask(tenant, scopeId)

describeSummary(subject, ask)
describeScopePlace(subject, (scope) => ask(tenant, scope))
describeParams(subject, good, 'scopeId')
describePlatformEntrance(subject, good)
describeTenantHeader(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
