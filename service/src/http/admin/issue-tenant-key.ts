import { operations } from '@concord/contract'
import { issueTenantKey as issue } from '../../app/identity/keys.ts'
import type { KeysDeps } from '../../app/identity/keys.ts'
import { futureInstant } from '../instants.ts'
import { toIssuedKeyRecord } from '../records.ts'
import { platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function issueTenantKey(deps: KeysDeps): Route {
  return platformRoute(operations.issueTenantKey, async ({ who, params: { tenantId }, body }) => {
    const issued = await issue(deps, who, tenantId, {
      name: body.name ?? null,
      expiresAt: futureInstant(body.expires_at),
    })
    return {
      status: 201,
      headers: { location: `/admin/tenants/${tenantId}/keys/${issued.key.keyId}` },
      body: toIssuedKeyRecord(issued),
    }
  })
}
