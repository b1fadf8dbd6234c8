import { operations } from '@concord/contract'
import { listTenantKeys as list } from '../../app/identity/keys.ts'
import type { KeysDeps } from '../../app/identity/keys.ts'
import { toKeyRecord, toPageRecord } from '../records.ts'
import { platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function listTenantKeys(deps: KeysDeps): Route {
  return platformRoute(
    operations.listTenantKeys,
    async ({ params: { tenantId }, query: { limit, cursor } }) => {
      const page = await list(deps, tenantId, { limit, cursor })
      return { status: 200, body: toPageRecord(page, toKeyRecord) }
    },
  )
}
