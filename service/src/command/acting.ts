/** The caller for an operator that acts for a tenant. */
import { getTenant } from '../app/identity/tenants.ts'
import type { TenantCaller } from '../domain/caller.ts'
import type { Operator } from './operator.ts'

/** Call it only for an existing tenant. */
export async function actFor(operator: Operator, tenantId: string): Promise<TenantCaller> {
  const tenant = await getTenant(operator, tenantId)
  return { ...operator.caller, tenantId: tenant.tenantId }
}
