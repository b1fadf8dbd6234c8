import { operations } from '@concord/contract'
import { listTenants as list } from '../../app/identity/tenants.ts'
import type { TenantsDeps } from '../../app/identity/tenants.ts'
import { toPageRecord, toTenantRecord } from '../records.ts'
import { platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function listTenants(deps: TenantsDeps): Route {
  return platformRoute(operations.listTenants, async ({ query: { limit, cursor } }) => {
    const page = await list(deps, { limit, cursor })
    return { status: 200, body: toPageRecord(page, toTenantRecord) }
  })
}
