import { operations } from '@concord/contract'
import { resetScope as reset, toRemovedRecord } from '../../app/scopes/erasing.ts'
import type { ErasingDeps } from '../../app/scopes/erasing.ts'
import { takingLong, tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function resetScope(deps: ErasingDeps): Route {
  const route = tenantRoute(operations.resetScope, async ({ who, params: { scopeId } }) => {
    const { epoch, removed, seq } = await reset(deps, who, scopeId)
    return { status: 200, body: { scope_id: scopeId, epoch, removed: toRemovedRecord(removed), seq } }
  })
  return takingLong(route)
}
