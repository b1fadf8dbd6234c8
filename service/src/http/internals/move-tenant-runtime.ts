/** The five moves of the runtime as an operator makes them: of all scopes of a tenant, or of one of them. */
import { operations } from '@concord/contract'
import { moveRuntime as move } from '../../app/processing/runtime.ts'
import type { RuntimeDeps } from '../../app/processing/runtime.ts'
import type { RuntimeOp, RuntimeTarget } from '../../domain/runtime.ts'
import { toRuntimeRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

const moves = {
  start: operations.startTenantRuntime,
  pause: operations.pauseTenantRuntime,
  resume: operations.resumeTenantRuntime,
  stop: operations.stopTenantRuntime,
  restart: operations.restartTenantRuntime,
} as const satisfies Record<RuntimeOp, unknown>

export function moveTenantRuntime(deps: RuntimeDeps, op: RuntimeOp): Route {
  return tenantRoute(moves[op], async ({ who, body }) => ({
    status: 200,
    body: toRuntimeRecord(await move(deps, targetOf(who.tenantId, body.scope_id), op, who)),
  }))
}

function targetOf(tenantId: string, scopeId: string | undefined): RuntimeTarget {
  return scopeId === undefined ? { level: 'tenant', tenantId } : { level: 'scope', tenantId, scopeId }
}
