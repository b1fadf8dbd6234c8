import { operations } from '@concord/contract'
import { getScope } from '../../app/scopes.ts'
import type { ScopesDeps } from '../../app/scopes.ts'
import { toScopeRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getOwnScope(deps: ScopesDeps): Route {
  return tenantRoute(operations.getOwnScope, async ({ who, params: { scopeId } }) => ({
    status: 200,
    body: toScopeRecord(await getScope(deps, who, scopeId)),
  }))
}
