import { operations } from '@concord/contract'
import { listConvergence } from '../../app/scopes/convergence.ts'
import type { ConvergenceDeps } from '../../app/scopes/convergence.ts'
import { toKernelConvergenceRecord } from '../convergence-records.ts'
import { toPageRecord } from '../records.ts'
import { platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getKernelConvergence(deps: ConvergenceDeps): Route {
  return platformRoute(operations.getKernelConvergence, async ({ query }) => {
    const { limit, cursor, tenant_id: tenantId, scope_id: scopeId } = query
    const page = await listConvergence(deps, { limit, cursor, tenantId, scopeId })
    return { status: 200, body: toPageRecord(page, toKernelConvergenceRecord) }
  })
}
