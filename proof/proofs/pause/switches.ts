/** Moves the switches as people do: the whole service and scopes as an administrator, tenants as an operator. */
import type { Target } from './cycle-plan.ts'

export interface RootKeys {
  readonly admin: string
  readonly internals: string
}

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
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${asOperator ? internals : admin}`,
      ...(level !== 'service' && { 'x-tenant-api-key': place.tenantKey }),
      ...(level === 'scope' && { 'content-type': 'application/json' }),
    },
    ...(level === 'scope' && { body: JSON.stringify({ scope_id: place.scopeId }) }),
  })
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Moved
}
