/**
 * Evaluates policies that resolve findings without a person. Only new or changed findings are evaluated, and only if the
 * documents show which side holds and no person has ever decided. So the outcome depends on the documents, the decisions
 * of people and the policies, and not on the order of arrival.
 */
import type { PolicyDecision } from '../../domain/policy.ts'
import type { Holds } from '../../domain/resolution.ts'
import type { KnownFinding } from '../../store/comparing/comparison.ts'
import type { StoredVerdict } from '../../store/contradictions/verdicts.ts'
import type { PolicySet } from '../access/policies.ts'
import type { NamedFinding } from './findings.ts'

/** A decision of the policies that differs from the one before. */
export interface Ruling {
  readonly result: 'resolved' | 'reopened'
  readonly holds: Holds | null
  readonly upheld: bigint | null
  readonly policyHash: string
  readonly policies: readonly string[]
}

/** Returns the side that holds if the documents themselves say so. Two sides that only contradict each other have none. */
export function holdingSideOf({
  finding: { relation },
  restatedBy,
}: NamedFinding): 'a' | 'b' | 'both' | null {
  return relation === 'change' ? 'both' : restatedBy
}

/** Selects the findings to evaluate policies for. */
export function selectUndecided(
  findings: readonly NamedFinding[],
  known: readonly KnownFinding[],
  verdicts: ReadonlyMap<string, StoredVerdict>,
): NamedFinding[] {
  const before = new Map(known.map((finding) => [finding.id, finding]))
  return findings.filter((found) => {
    const old = before.get(found.id)
    // Only a person can dismiss a finding.
    if (old?.fingerprint === found.fingerprint || old?.status === 'dismissed') return false
    const verdict = verdicts.get(found.id)
    if (!verdict) return holdingSideOf(found) !== null
    return verdict.decidedBy === 'policy' && (verdict.result === 'resolved' || holdingSideOf(found) !== null)
  })
}

/** Maps contradictions to the decisions of the policies. A decision that equals the last one is left out. */
export function evaluatePolicies(
  { tenantId, scopeId }: { readonly tenantId: string; readonly scopeId: string },
  set: PolicySet,
  undecided: readonly NamedFinding[],
  verdicts: ReadonlyMap<string, StoredVerdict>,
): Map<string, Ruling> {
  const rulings = new Map<string, Ruling>()
  for (const found of undecided) {
    const contradictionId = found.id
    const contradiction = factsOf(found)
    const point = 'settle_contradiction'
    const decision = set.decide({ tenantId, scopeId, point, contradictionId, contradiction })
    const ruling = rulingOf(found, decision, verdicts.get(contradictionId))
    if (ruling) rulings.set(contradictionId, ruling)
  }
  return rulings
}

function factsOf({ finding: { relation, kind, severity, confidence, a, b } }: NamedFinding) {
  const sameDocument = a.documentId === b.documentId
  return { relation, kind, severity, confidence, reported: false, sameDocument }
}

function rulingOf(
  found: NamedFinding,
  { allowed, policies, hash }: PolicyDecision,
  last: StoredVerdict | undefined,
): Ruling | undefined {
  const holds = holdingSideOf(found)
  const isSettled = last?.result === 'resolved'
  if (!allowed || holds === null) {
    const decided = { policyHash: hash, policies: allowed ? [] : policies }
    return isSettled ? { result: 'reopened', holds: null, upheld: null, ...decided } : undefined
  }
  const upheld = holds === 'both' ? null : found.values[holds === 'a' ? 0 : 1]
  const stands = isSettled && last.upheld === upheld && last.policyHash === hash
  if (stands && last.policies.join() === policies.join()) return undefined
  return { result: 'resolved', holds, upheld, policyHash: hash, policies }
}
