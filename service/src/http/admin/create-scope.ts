import { operations } from '@concord/contract'
import { createScope as create } from '../../app/scopes/scopes.ts'
import type { ScopesDeps } from '../../app/scopes/scopes.ts'
import type { PoliciesDeps } from '../../app/access/policies.ts'
import { toScopeRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function createScope(deps: ScopesDeps & PoliciesDeps): Route {
  return tenantRoute(operations.createScope, async ({ who, body }) => {
    const { scope_id: scopeId, display_name: displayName = null, policy } = body
    const scope = await create(deps, who, { scopeId, displayName, policy })
    return {
      status: 201,
      headers: { location: `/api/scopes/${scope.scopeId}` },
      body: toScopeRecord(scope),
    }
  })
}
