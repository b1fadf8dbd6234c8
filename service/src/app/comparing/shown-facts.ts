/**
 * Shows a contradiction between two facts with the claims that state them now. These claims determine the order of the
 * sides, not the order of the comparison.
 */
import type { LocatedClaim } from '../../domain/claim.ts'
import type { Finding, PlacedClaim } from '../../domain/finding.ts'
import { formatPeriod } from '../../domain/period.ts'
import { inOrder } from '../../model/facts.ts'
import type { RankedFinding } from './group-memo.ts'

export interface ShownFact extends PlacedClaim {
  readonly key: bigint
}

/** A finding between two facts, with the documents that were compared. */
export type FactFinding = Omit<Finding, 'a' | 'b' | 'kind' | 'subject' | 'attribute' | 'period'> & {
  readonly a: Pick<PlacedClaim, 'documentId'>
  readonly b: Pick<PlacedClaim, 'documentId'>
}

/**
 * The explanation refers to the documents that were compared. If another document shows a side, it is written again.
 */
export function showFacts(
  found: FactFinding,
  group: bigint,
  [x, y]: readonly [ShownFact, ShownFact],
): RankedFinding {
  // @point comparison.order-sides
  const [first, second] = inOrder(x, y)
  const [a, b] = [toPlaced(first), toPlaced(second)]
  const isSame = hasDocuments(found, x, y) || hasDocuments(found, y, x)
  const period = a.claim.period ?? b.claim.period
  const finding: Finding = {
    ...found,
    kind: a.claim.kind,
    subject: a.claim.subject.text,
    attribute: a.claim.attribute.text,
    period: period && formatPeriod(period),
    explanation: isSame ? found.explanation : explainPair(a.claim, b.claim),
    a,
    b,
  }
  const values = [first.key, second.key] as const
  return { finding, group, values, pairs: [[a, b]], restatedBy: restatedBy(finding) }
}

function hasDocuments({ a, b }: FactFinding, x: PlacedClaim, y: PlacedClaim): boolean {
  return a.documentId === x.documentId && b.documentId === y.documentId
}

function toPlaced({ documentId, no, version, claim }: PlacedClaim): PlacedClaim {
  return { documentId, no, version, claim }
}

/** Quotes both statements. */
function explainPair(a: LocatedClaim, b: LocatedClaim): string {
  return `These statements do not agree: “${statementOf(a)}” and “${statementOf(b)}”`
}

function statementOf({ stated, quote }: LocatedClaim): string {
  return stated?.statement ?? quote
}

/** Returns the side with the later statement, which replaces the earlier one. */
function restatedBy({ relation, a, b }: Finding): 'a' | 'b' | null {
  const [first, second] = [a.claim.assertedAt, b.claim.assertedAt]
  if (relation !== 'restatement' || first === null || second === null || first === second) return null
  return first > second ? 'a' : 'b'
}
