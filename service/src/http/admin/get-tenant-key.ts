import { operations } from '@concord/contract'
import { getTenantKey as get } from '../../app/identity/keys.ts'
import type { KeysDeps } from '../../app/identity/keys.ts'
import { toKeyRecord } from '../records.ts'
import { platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function getTenantKey(deps: KeysDeps): Route {
  return platformRoute(operations.getTenantKey, async ({ params: { tenantId, keyId } }) => ({
    status: 200,
    body: toKeyRecord(await get(deps, tenantId, keyId)),
  }))
}
