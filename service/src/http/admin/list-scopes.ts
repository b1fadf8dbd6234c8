import { operations } from '@concord/contract'
import { listScopes as list } from '../../app/scopes/scopes.ts'
import type { ScopesDeps } from '../../app/scopes/scopes.ts'
import { toPageRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { toListedScopeRecord } from '../scope-records.ts'

export function listScopes(deps: ScopesDeps): Route {
  return tenantRoute(operations.listScopes, async ({ who, query: { limit, cursor } }) => {
    const page = await list(deps, who, { limit, cursor })
    return { status: 200, body: toPageRecord(page, toListedScopeRecord) }
  })
}
