import { operations } from '@concord/contract'
import type { PoliciesDeps } from '../../app/access/policies.ts'
import { createScope } from '../../app/scopes/scopes.ts'
import type { ScopesDeps } from '../../app/scopes/scopes.ts'
import { toScopeRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function createOwnScope(deps: ScopesDeps & PoliciesDeps): Route {
  return tenantRoute(operations.createOwnScope, async ({ who, body }) => {
    const { scope_id: scopeId, display_name: displayName = null } = body
    const scope = await createScope(deps, who, { scopeId, displayName })
    return {
      status: 201,
      headers: { location: `/api/scopes/${scope.scopeId}` },
      body: toScopeRecord(scope),
    }
  })
}
