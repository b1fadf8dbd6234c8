import { operations } from '@concord/contract'
import { listClaims as list } from '../../app/documents/claims.ts'
import type { ClaimsDeps } from '../../app/documents/claims.ts'
import { toClaimRecord } from '../claim-records.ts'
import { toPageRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function listClaims(deps: ClaimsDeps): Route {
  return tenantRoute(operations.listClaims, async ({ who, params: { scopeId }, query }) => {
    const page = await list(deps, who, scopeId, {
      limit: query.limit,
      cursor: query.cursor,
      documentId: query.document_id,
      kind: query.kind,
      words: query.q,
      entity: query.entity,
      attribute: query.attribute,
      period: query.period,
    })
    return { status: 200, body: toPageRecord(page, toClaimRecord) }
  })
}
