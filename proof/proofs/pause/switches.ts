/** Moves the switches as people do: the whole service and scopes as an administrator, tenants as an operator. */
import { requestJson } from '../../harness/http.ts'
import type { RootKeys } from '../../harness/places.ts'
import type { Target } from './cycle-plan.ts'

/** What of the answer counts here. */
export interface Moved {
  readonly state: string
  readonly effective_state: string
  readonly changed: boolean
  readonly in_flight: number
}

export async function moveSwitch(
  url: string,
  op: 'pause' | 'resume',
  { level, place }: Target,
  { admin, internals }: RootKeys,
): Promise<Moved> {
  const asOperator = level === 'tenant'
  const path = asOperator ? `/internals/kernel/runtime/${op}` : `/admin/runtime/${op}`
  return requestJson<Moved>(url, {
    method: 'POST',
    path,
    bearer: asOperator ? internals : admin,
    ...(level !== 'service' && { tenantKey: place.tenantKey }),
    ...(level === 'scope' && { body: { scope_id: place.scopeId } }),
  })
}
