/** The operator in the name of a tenant. */
import { getTenant } from '../app/identity/tenants.ts'
import type { TenantCaller } from '../domain/caller.ts'
import type { Operator } from './operator.ts'

/** Only once that tenant is known to exist. */
export async function actFor(operator: Operator, tenantId: string): Promise<TenantCaller> {
  const tenant = await getTenant(operator, tenantId)
  return { ...operator.caller, tenantId: tenant.tenantId }
}
