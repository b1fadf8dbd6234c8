import { operations } from '@concord/contract'
import { createTenant as create } from '../../app/identity/tenants.ts'
import type { TenantsDeps } from '../../app/identity/tenants.ts'
import { platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function createTenant(deps: TenantsDeps): Route {
  return platformRoute(operations.createTenant, async ({ who, body }) => {
    const { tenantId, key } = await create(deps, who, body)
    return {
      status: 201,
      headers: { location: `/admin/tenants/${tenantId}` },
      body: {
        tenant_id: tenantId,
        api_key: key.key,
        key_prefix: key.prefix,
        message: 'Tenant created. Keep this key now; it is not stored and cannot be shown again.',
      },
    }
  })
}
