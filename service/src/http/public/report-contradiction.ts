import { operations } from '@concord/contract'
import { reportContradiction as report } from '../../app/contradictions/reports.ts'
import type { ReportResult } from '../../app/contradictions/reports.ts'
import type { IdempotencyDeps } from '../../app/idempotency.ts'
import type { ScopeWriteDeps } from '../../app/scopes/scope-transaction.ts'
import { Fault } from '../../domain/fault.ts'
import { toContradictionRecord } from '../contradiction-records.ts'
import { replayableRoute } from '../replayable-route.ts'
import type { Route } from '../route.ts'

/** A statement cannot contradict itself, and such a pair would keep its scope open for good. */
const SAME_STATEMENT = {
  pointer: '#/claim_b',
  code: 'same_statement',
  message: 'Report two statements; both sides are the same here.',
}

export function reportContradiction(deps: ScopeWriteDeps & IdempotencyDeps): Route {
  return replayableRoute(deps, operations.reportContradiction, async ({ who, body }, keeping) => {
    if (body.claim_a === body.claim_b && body.source_a === body.source_b)
      throw new Fault('validation_failed', { fields: [SAME_STATEMENT] })
    const sent = {
      scopeId: body.scope_id,
      a: { claim: body.claim_a, source: body.source_a },
      b: { claim: body.claim_b, source: body.source_b },
      severity: body.severity,
      note: body.note ?? null,
    }
    return toAnswer(await report(deps, who, sent, keeping(toAnswer)))
  })
}

function toAnswer({ contradiction, isNew }: ReportResult) {
  const { scopeId, contradictionId } = contradiction
  const headers = { location: `/api/scopes/${scopeId}/contradictions/${contradictionId}` }
  const record = toContradictionRecord(contradiction)
  return isNew
    ? ({ status: 201, headers, body: record } as const)
    : ({ status: 200, headers, body: record } as const)
}
