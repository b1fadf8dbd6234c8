import { operations } from '@concord/contract'
import { declareSettled as declare } from '../../app/declaring.ts'
import type { DeclaringDeps } from '../../app/declaring.ts'
import { toIssuedRecord } from '../certificate-records.ts'
import { takingLong, tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

/** All the evidence is read, so it takes as long as there is of it. */
export function declareSettled(deps: DeclaringDeps): Route {
  const route = tenantRoute(operations.declareSettled, async ({ who, params: { scopeId }, body }) => {
    const words = { by: body?.by ?? null, reason: body?.reason ?? null }
    const { issued, ...certificate } = await declare(deps, who, scopeId, words)
    return {
      status: issued ? 201 : 200,
      headers: { location: `/api/scopes/${scopeId}/certificate` },
      body: toIssuedRecord(certificate),
    }
  })
  return takingLong(route)
}
