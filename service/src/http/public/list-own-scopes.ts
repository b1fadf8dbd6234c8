import { operations } from '@concord/contract'
import { listScopes } from '../../app/scopes/scopes.ts'
import type { ScopesDeps } from '../../app/scopes/scopes.ts'
import { toPageRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { toListedScopeRecord } from '../scope-records.ts'

export function listOwnScopes(deps: ScopesDeps): Route {
  return tenantRoute(operations.listOwnScopes, async ({ who, query: { limit, cursor } }) => {
    // @point http.list-scopes
    const page = await listScopes(deps, who, { limit, cursor })
    return { status: 200, body: toPageRecord(page, toListedScopeRecord) }
  })
}
