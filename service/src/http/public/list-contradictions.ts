import { operations } from '@concord/contract'
import { listContradictions as list } from '../../app/contradictions/contradictions.ts'
import type { ContradictionsDeps } from '../../app/contradictions/contradictions.ts'
import { toContradictionRecord } from '../contradiction-records.ts'
import { toPageRecord } from '../records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function listContradictions(deps: ContradictionsDeps): Route {
  return tenantRoute(operations.listContradictions, async ({ who, params: { scopeId }, query }) => {
    const page = await list(deps, who, scopeId, {
      limit: query.limit,
      cursor: query.cursor,
      statuses: query.status,
      severities: query.severity,
      relation: query.relation,
      kind: query.kind,
      documentId: query.document_id,
      order: query.order,
    })
    return { status: 200, body: toPageRecord(page, toContradictionRecord) }
  })
}
