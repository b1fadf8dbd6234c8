import { operations } from '@concord/contract'
import type { ScopeReadDeps } from '../../app/scopes/sealed-rows.ts'
import { getScopeSummary } from '../../app/scopes/scope-summary.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { toScopeSummaryRecord } from '../scope-records.ts'

export function getOwnScope(deps: ScopeReadDeps): Route {
  return tenantRoute(operations.getOwnScope, async ({ who, params: { scopeId } }) => ({
    status: 200,
    body: toScopeSummaryRecord(await getScopeSummary(deps, who, scopeId)),
  }))
}
