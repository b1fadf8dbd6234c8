import { operations } from '@concord/contract'
import { getScopeSummary as get } from '../../app/scope-figures.ts'
import type { ScopeFiguresDeps } from '../../app/scope-figures.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { toScopeSummaryRecord } from '../scope-records.ts'

export function getScopeSummary(deps: ScopeFiguresDeps): Route {
  return tenantRoute(operations.getScopeSummary, async ({ who, params: { scopeId } }) => ({
    status: 200,
    body: toScopeSummaryRecord(await get(deps, who, scopeId)),
  }))
}
