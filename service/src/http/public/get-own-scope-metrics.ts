import { operations } from '@concord/contract'
import { getScopeMetrics } from '../../app/scopes/scope-stats.ts'
import type { ScopeStatsDeps } from '../../app/scopes/scope-stats.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { toMetricsRecord, toMetricsRequest } from '../scope-records.ts'

export function getOwnScopeMetrics(deps: ScopeStatsDeps): Route {
  return tenantRoute(operations.getOwnScopeMetrics, async ({ who, params: { scopeId }, query }) => ({
    status: 200,
    body: toMetricsRecord(
      scopeId,
      query.step,
      await getScopeMetrics(deps, who, scopeId, toMetricsRequest(query)),
    ),
  }))
}
