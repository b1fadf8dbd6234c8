import { operations } from '@concord/contract'
import { getScopeSummary } from '../../app/scope-figures.ts'
import type { ScopeFiguresDeps } from '../../app/scope-figures.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { toScopeSummaryRecord } from '../scope-records.ts'

export function getOwnScope(deps: ScopeFiguresDeps): Route {
  return tenantRoute(operations.getOwnScope, async ({ who, params: { scopeId } }) => ({
    status: 200,
    body: toScopeSummaryRecord(await getScopeSummary(deps, who, scopeId)),
  }))
}
