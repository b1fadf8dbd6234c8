import { operations } from '@concord/contract'
import { rotateTenantKey as rotate } from '../../app/identity/keys.ts'
import type { KeysDeps } from '../../app/identity/keys.ts'
import { futureInstant } from '../instants.ts'
import { toIssuedKeyRecord } from '../records.ts'
import { platformRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function rotateTenantKey(deps: KeysDeps): Route {
  return platformRoute(operations.rotateTenantKey, async ({ who, params, body }) => {
    const rotated = await rotate(deps, who, params, {
      overlapSeconds: body.overlap_seconds,
      expiresAt: futureInstant(body.expires_at),
    })
    return {
      status: 201,
      headers: { location: `/admin/tenants/${params.tenantId}/keys/${rotated.key.keyId}` },
      body: {
        ...toIssuedKeyRecord(rotated),
        replaces: rotated.replaces,
        replaced_expires_at: rotated.replacedExpiresAt.toISOString(),
      },
    }
  })
}
