import { operations } from '@concord/contract'
import { deleteScope as remove, toRemovedRecord } from '../../app/scopes/erasing.ts'
import type { ErasingDeps } from '../../app/scopes/erasing.ts'
import { takingLong, tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function deleteScope(deps: ErasingDeps): Route {
  const route = tenantRoute(operations.deleteScope, async ({ who, params: { scopeId } }) => {
    const { removed } = await remove(deps, who, scopeId)
    return { status: 200, body: { scope_id: scopeId, removed: toRemovedRecord(removed) } }
  })
  return takingLong(route)
}
