/**
 * A dismissed contradiction records the documents that the person reviewed. While these documents disagree, the
 * contradiction is shown with them. If only other documents still disagree in the same way, nobody has reviewed those, so
 * the contradiction is reopened.
 */
import type { StoredVerdict } from '../../store/contradictions/verdicts.ts'
import type { NamedFinding } from './findings.ts'
import type { RankedFinding } from './group-memo.ts'

/** Shows the finding with the reviewed documents if one of its pairs is between them. */
export function showDismissed(
  found: NamedFinding,
  verdict: StoredVerdict | undefined,
  name: (found: RankedFinding) => NamedFinding,
): NamedFinding {
  if (unreviewedDocuments(found, verdict).length === 0) return found
  const reviewed = new Set(verdict?.documentIds)
  const pair = found.pairs.findIndex((sides) => {
    const named = new Set(sides.map(({ documentId }) => documentId))
    return named.size === reviewed.size && [...named].every((id) => reviewed.has(id))
  })
  return pair === -1 || !found.showBy ? found : name(found.showBy(pair))
}

/** Returns the documents of a dismissed contradiction that the person did not review, sorted. */
export function unreviewedDocuments(
  { finding: { a, b } }: Pick<NamedFinding, 'finding'>,
  verdict: StoredVerdict | undefined,
): string[] {
  if (verdict?.result !== 'dismissed') return []
  const named = new Set([a.documentId, b.documentId])
  return [...named].filter((id) => !verdict.documentIds.includes(id)).toSorted()
}
