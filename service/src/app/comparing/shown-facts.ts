/**
 * A contradiction between two facts, as the claims show it that state them now. Which side comes first follows from these claims, not from
 * what was compared with what.
 */
import type { LocatedClaim } from '../../domain/claim.ts'
import type { Finding, PlacedClaim } from '../../domain/finding.ts'
import { formatPeriod } from '../../domain/period.ts'
import { inOrder } from '../../model/facts.ts'
import type { PlacedFinding } from './group-memo.ts'

export interface ShownFact extends PlacedClaim {
  readonly key: bigint
}

/** A finding, and the claims that it was found by. */
export type FoundPair = Omit<Finding, 'a' | 'b' | 'kind' | 'subject' | 'attribute' | 'period'> & {
  readonly a: Pick<PlacedClaim, 'documentId'>
  readonly b: Pick<PlacedClaim, 'documentId'>
}

/** The explanation names the documents that were compared. Where another document shows a side it is written anew. */
export function showFacts(
  found: FoundPair,
  group: bigint,
  [x, y]: readonly [ShownFact, ShownFact],
): PlacedFinding {
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

function hasDocuments({ a, b }: FoundPair, x: PlacedClaim, y: PlacedClaim): boolean {
  return a.documentId === x.documentId && b.documentId === y.documentId
}

function toPlaced({ documentId, no, version, claim }: PlacedClaim): PlacedClaim {
  return { documentId, no, version, claim }
}

/** In the words of both statements. */
function explainPair(a: LocatedClaim, b: LocatedClaim): string {
  return `These statements do not agree: “${statementOf(a)}” and “${statementOf(b)}”`
}

function statementOf({ stated, quote }: LocatedClaim): string {
  return stated?.statement ?? quote
}

/** The later statement takes the place of the earlier one. */
function restatedBy({ relation, a, b }: Finding): 'a' | 'b' | null {
  const [first, second] = [a.claim.assertedAt, b.claim.assertedAt]
  if (relation !== 'restatement' || first === null || second === null || first === second) return null
  return first > second ? 'a' : 'b'
}
