import { operations } from '@concord/contract'
import { deleteScope as remove, toRemovedRecord } from '../../app/scopes/scope-erasure.ts'
import type { ErasureDeps } from '../../app/scopes/scope-erasure.ts'
import { takingLong, tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function deleteScope(deps: ErasureDeps): Route {
  const route = tenantRoute(operations.deleteScope, async ({ who, params: { scopeId } }) => {
    const { removed } = await remove(deps, who, scopeId)
    return { status: 200, body: { scope_id: scopeId, removed: toRemovedRecord(removed) } }
  })
  return takingLong(route)
}
