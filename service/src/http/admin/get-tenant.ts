import { operations } from '@concord/contract'
import { getTenant as get } from '../../app/identity/tenants.ts'
import type { TenantsDeps } from '../../app/identity/tenants.ts'
import { toTenantRecord } from '../records.ts'
import { platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getTenant(deps: TenantsDeps): Route {
  return platformRoute(operations.getTenant, async ({ params: { tenantId } }) => ({
    status: 200,
    body: toTenantRecord(await get(deps, tenantId)),
  }))
}
