/** Decisions as the contract writes them. */
import type { Decision } from '../app/contradictions/decisions.ts'
import type { Outcome } from '../domain/resolution.ts'

export function toDecisionRecord(scopeId: string, decision: Decision) {
  return {
    decision_id: decision.decisionId,
    scope_id: scopeId,
    point: decision.point,
    result: decision.result,
    contradiction_id: decision.contradictionId,
    document_ids: [...decision.documentIds],
    holds: decision.holds,
    ...toAttribution(decision),
    policies: [...decision.policies],
    policy_hash: decision.policyHash?.toString('hex') ?? null,
    seq: decision.seq,
    decided_at: decision.decidedAt.toISOString(),
  }
}

/** The last decision about a contradiction; null where nothing was. */
export function toResolutionRecord(decision: Decision<Outcome> | null) {
  if (decision === null) return null
  return {
    outcome: decision.result,
    holds: decision.holds,
    ...toAttribution(decision),
    decision_id: decision.decisionId,
    decided_at: decision.decidedAt.toISOString(),
  }
}

function toAttribution({ decidedBy, actor, by, reason }: Decision) {
  return { decided_by: decidedBy, actor, by, reason }
}
