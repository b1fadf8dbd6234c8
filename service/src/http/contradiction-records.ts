/** Contradictions as the contract writes them. */
import type { ContradictionSide, FoundContradiction } from '../app/contradictions/contradictions.ts'
import { differenceOf } from '../domain/difference.ts'
import { toDayRecord, toLocationRecord, toValueRecord } from './claim-records.ts'
import { toResolutionRecord } from './decision-records.ts'

export function toContradictionRecord(found: FoundContradiction) {
  const { a, b } = found
  return {
    contradiction_id: found.contradictionId,
    scope_id: found.scopeId,
    status: found.status,
    relation: found.relation,
    kind: found.kind,
    title: found.title,
    entity: found.subject === '' ? null : found.subject,
    attribute: found.attribute === '' ? null : found.attribute,
    period: found.period,
    severity: found.severity,
    confidence: found.confidence,
    internal: a.documentId !== null && a.documentId === b.documentId,
    a: toSideRecord(a),
    b: toSideRecord(b),
    difference: a.claim && b.claim && differenceOf(a.claim.value, b.claim.value),
    explanation: found.explanation,
    further: found.further,
    note: found.note,
    decided_by: found.rule,
    opened_at: found.openedAt.toISOString(),
    updated_at: found.updatedAt.toISOString(),
    resolution: toResolutionRecord(found.resolution),
  }
}

function toSideRecord({ claim, ...place }: ContradictionSide) {
  return {
    source: place.source,
    document_id: place.documentId,
    version: place.version,
    claim_id: place.claimId,
    quote: place.quote,
    start: claim?.span[0] ?? null,
    end: claim?.span[1] ?? null,
    location: claim && toLocationRecord(claim),
    value: claim && toValueRecord(claim),
    asserted_at: claim && toDayRecord(claim.assertedAt),
  }
}
