/** The rules for every question about one scope that an administrator asks with the tenant's key. */
import { beforeAll } from 'vitest'
import type { Subject } from '../subject.ts'
import { asAdminOf, createScope, createTenant, newScopeId } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'
import { describeCompleteness, describeEveryOperation } from './every-operation.ts'
import { describeParams } from './params.ts'
import { describeScopePlace } from './places.ts'
import { describePlatformEntrance } from './platform-entrance.ts'
import type { AskOf } from './scope-summaries.ts'
import { describeTenantHeader } from './tenant-header.ts'

const ask: AskOf = (owner, scopeId) => ({ headers: asAdminOf(owner), params: { scopeId } })

/** Completeness is looked at last, so what the answers are is described in between. */
export function describeAdminScopeQuestion(
  subject: Subject,
  describeAnswers: (subject: Subject, ask: AskOf) => void,
): void {
  const scopeId = newScopeId()
  let tenant: Tenant

  beforeAll(async () => {
    tenant = await createTenant()
    await createScope(tenant, scopeId)
  })

  const good = () => ask(tenant, scopeId)

  describeAnswers(subject, ask)
  describeScopePlace(subject, (scope) => ask(tenant, scope))
  describeParams(subject, good, 'scopeId')
  describePlatformEntrance(subject, good)
  describeTenantHeader(subject, good)
  describeEveryOperation(subject, good)
  describeCompleteness(subject)
}
