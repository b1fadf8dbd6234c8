/** The five moves of the runtime as an administrator makes them: of the whole service, or of one scope. */
import { operations } from '@concord/contract'
import { moveRuntime as move } from '../../app/processing/runtime.ts'
import type { RuntimeDeps } from '../../app/processing/runtime.ts'
import { Fault } from '../../domain/fault.ts'
import type { RuntimeOp, RuntimeTarget } from '../../domain/runtime.ts'
import { toRuntimeRecord } from '../records.ts'
import { platformOrTenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

const moves = {
  start: operations.startRuntime,
  pause: operations.pauseRuntime,
  resume: operations.resumeRuntime,
  stop: operations.stopRuntime,
  restart: operations.restartRuntime,
} as const satisfies Record<RuntimeOp, unknown>

export function moveRuntime(deps: RuntimeDeps, op: RuntimeOp): Route {
  return platformOrTenantRoute(moves[op], async ({ who, body }) => ({
    status: 200,
    body: toRuntimeRecord(await move(deps, targetOf(who.tenantId, body.scope_id), op, who)),
  }))
}

/** Half of a scope is not the whole service: what was forgotten must not move everybody's work. */
function targetOf(tenantId: string | undefined, scopeId: string | undefined): RuntimeTarget {
  if (tenantId !== undefined && scopeId !== undefined) return { level: 'scope', tenantId, scopeId }
  if (scopeId !== undefined)
    throw new Fault('credential_missing', {
      internal: 'scope_id without X-Tenant-API-Key',
      fields: [
        {
          pointer: 'header#/x-tenant-api-key',
          code: 'required',
          message: 'Send the key of the tenant in X-Tenant-API-Key beside scope_id.',
        },
      ],
    })
  if (tenantId !== undefined)
    throw new Fault('validation_failed', {
      fields: [
        {
          pointer: '#/scope_id',
          code: 'required',
          message: 'Send scope_id beside X-Tenant-API-Key, or neither of them to move the whole service.',
        },
      ],
    })
  return { level: 'service' }
}
