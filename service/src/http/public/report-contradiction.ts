import { operations } from '@concord/contract'
import { reportContradiction as report } from '../../app/reporting.ts'
import type { ScopeWritingDeps } from '../../app/scope-writing.ts'
import { toContradictionRecord } from '../contradiction-records.ts'
import { tenantRoute } from '../route.ts'
import type { Route } from '../route.ts'

export function reportContradiction(deps: ScopeWritingDeps): Route {
  return tenantRoute(operations.reportContradiction, async ({ who, body }) => {
    const { contradiction, isNew } = await report(deps, who, {
      scopeId: body.scope_id,
      a: { claim: body.claim_a, source: body.source_a },
      b: { claim: body.claim_b, source: body.source_b },
      severity: body.severity,
      note: body.note ?? null,
    })
    const { scopeId, contradictionId } = contradiction
    const headers = { location: `/api/scopes/${scopeId}/contradictions/${contradictionId}` }
    const record = toContradictionRecord(contradiction)
    return isNew ? { status: 201, headers, body: record } : { status: 200, headers, body: record }
  })
}
