import { operations } from '@concord/contract'
import { getScopeMetrics as get } from '../../app/scopes/scope-stats.ts'
import type { ScopeStatsDeps } from '../../app/scopes/scope-stats.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { toMetricsRecord, toMetricsRequest } from '../scope-records.ts'

export function getScopeMetrics(deps: ScopeStatsDeps): Route {
  return tenantRoute(operations.getScopeMetrics, async ({ who, params: { scopeId }, query }) => ({
    status: 200,
    body: toMetricsRecord(scopeId, query.step, await get(deps, who, scopeId, toMetricsRequest(query))),
  }))
}
