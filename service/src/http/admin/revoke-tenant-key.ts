import { operations } from '@concord/contract'
import { revokeTenantKey as revoke } from '../../app/identity/keys.ts'
import type { KeysDeps } from '../../app/identity/keys.ts'
import { toKeyRecord } from '../records.ts'
import { platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function revokeTenantKey(deps: KeysDeps): Route {
  return platformRoute(operations.revokeTenantKey, async ({ who, params: { tenantId, keyId } }) => ({
    status: 200,
    body: toKeyRecord(await revoke(deps, who, tenantId, keyId)),
  }))
}
