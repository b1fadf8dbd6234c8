import { operations } from '@concord/contract'
import { resetScope as reset, toRemovedRecord } from '../../app/scopes/scope-erasure.ts'
import type { ErasureDeps } from '../../app/scopes/scope-erasure.ts'
import { takingLong, tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function resetScope(deps: ErasureDeps): Route {
  const route = tenantRoute(operations.resetScope, async ({ who, params: { scopeId } }) => {
    const { epoch, removed, seq } = await reset(deps, who, scopeId)
    return { status: 200, body: { scope_id: scopeId, epoch, removed: toRemovedRecord(removed), seq } }
  })
  return takingLong(route)
}
