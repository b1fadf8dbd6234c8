/** Contradictions as the contract writes them. */
import type { ContradictionSide, FoundContradiction } from '../app/contradictions.ts'
import { differenceOf } from '../domain/difference.ts'
import { toDayRecord, toValueRecord } from './claim-records.ts'

export function toContradictionRecord(found: FoundContradiction) {
  const { a, b } = found
  return {
    contradiction_id: found.contradictionId,
    scope_id: found.scopeId,
    status: found.status,
    relation: found.relation,
    kind: found.kind,
    entity: found.subject === '' ? null : found.subject,
    attribute: found.attribute === '' ? null : found.attribute,
    period: found.period,
    severity: found.severity,
    confidence: found.confidence,
    a: toSideRecord(a),
    b: toSideRecord(b),
    difference: differenceOf(a.claim.value, b.claim.value),
    explanation: found.explanation,
    further: found.further,
    // What people add, and decide, comes with resolutions.
    note: null,
    decided_by: found.rule,
    opened_at: found.openedAt.toISOString(),
    updated_at: found.updatedAt.toISOString(),
    resolution: null,
  }
}

function toSideRecord({ claim, ...place }: ContradictionSide) {
  return {
    source: place.source,
    document_id: place.documentId,
    version: place.version,
    claim_id: place.claimId,
    quote: claim.quote,
    start: claim.span[0],
    end: claim.span[1],
    value: toValueRecord(claim),
    asserted_at: toDayRecord(claim.assertedAt),
  }
}
