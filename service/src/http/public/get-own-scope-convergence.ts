import { operations } from '@concord/contract'
import { getConvergence } from '../../app/scopes/convergence.ts'
import type { ConvergenceDeps } from '../../app/scopes/convergence.ts'
import { toConvergenceRecord } from '../convergence-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getOwnScopeConvergence(deps: ConvergenceDeps): Route {
  return tenantRoute(operations.getOwnScopeConvergence, async ({ who, params: { scopeId } }) => ({
    status: 200,
    body: toConvergenceRecord(scopeId, await getConvergence(deps, who, scopeId)),
  }))
}
