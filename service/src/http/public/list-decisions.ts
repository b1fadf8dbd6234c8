import { operations } from '@concord/contract'
import { listDecisions as list } from '../../app/contradictions/decisions.ts'
import type { ScopeReadDeps } from '../../app/scopes/sealed-rows.ts'
import { toDecisionRecord } from '../decision-records.ts'
import { toPageRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function listDecisions(deps: ScopeReadDeps): Route {
  return tenantRoute(operations.listDecisions, async ({ who, params: { scopeId }, query }) => {
    const page = await list(deps, who, scopeId, {
      limit: query.limit,
      cursor: query.cursor,
      contradictionId: query.contradiction_id,
      documentId: query.document_id,
      point: query.point,
      decidedBy: query.decided_by,
    })
    return { status: 200, body: toPageRecord(page, (decision) => toDecisionRecord(scopeId, decision)) }
  })
}
