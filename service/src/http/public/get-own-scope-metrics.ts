import { operations } from '@concord/contract'
import { getScopeMetrics } from '../../app/scopes/scope-figures.ts'
import type { ScopeFiguresDeps } from '../../app/scopes/scope-figures.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { toMetricsRecord, toMetricsRequest } from '../scope-records.ts'

export function getOwnScopeMetrics(deps: ScopeFiguresDeps): Route {
  return tenantRoute(operations.getOwnScopeMetrics, async ({ who, params: { scopeId }, query }) => ({
    status: 200,
    body: toMetricsRecord(
      scopeId,
      query.step,
      await getScopeMetrics(deps, who, scopeId, toMetricsRequest(query)),
    ),
  }))
}
