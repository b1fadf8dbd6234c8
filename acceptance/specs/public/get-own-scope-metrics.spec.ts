/** getOwnScopeMetrics: a scope over time, as its own tenant sees it. */
import { beforeAll } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeMetrics } from '../../rules/scope-metrics.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getOwnScopeMetrics')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const ask = (owner: Tenant, scope: string) => ({ headers: bearer(owner.key), params: { scopeId: scope } })
const good = () => ask(tenant, scopeId)

describeMetrics(subject, ask)
describeScopePlace(subject, (scope) => ask(tenant, scope))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
