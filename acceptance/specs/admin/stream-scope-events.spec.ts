/** streamScopeEvents: an administrator follows a scope of the tenant whose key is sent. */
import { beforeAll } from 'vitest'
import { describeClosing } from '../../rules/closing-streams.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { describeScopeStreams } from '../../rules/scope-streams.ts'
import { describeTenantHeader } from '../../rules/tenant-header.ts'
import { createSubject } from '../../subject.ts'
import { asAdminOf, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('streamScopeEvents')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const ask = (scope: string, key = tenant.key) => ({ headers: asAdminOf({ key }), params: { scopeId: scope } })
const good = () => ask(scopeId)

describeScopeStreams(subject, { owner: () => tenant, call: ask })
describeScopePlace(subject, ask)
describeParams(subject, good, 'scopeId')
describeTenantHeader(subject, good)
describePlatformEntrance(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
describeClosing(
  subject,
  () => tenant,
  (key) => subject.open(ask(scopeId, key)),
)
