/**
 * A dismissed contradiction names the documents that the person looked at. As long as these disagree it is shown by them, whichever pair
 * would show it otherwise. Where they do not, other documents disagree in the same way, and nobody has looked at those: it is open again.
 */
import type { StoredVerdict } from '../../store/contradictions/verdicts.ts'
import type { NamedFinding } from './findings.ts'
import type { PlacedFinding } from './group-memo.ts'

/** The finding, shown by the documents that were looked at where one of its pairs is theirs. */
export function showDismissed(
  found: NamedFinding,
  verdict: StoredVerdict | undefined,
  name: (found: PlacedFinding) => NamedFinding,
): NamedFinding {
  if (unseenDocuments(found, verdict).length === 0) return found
  const seen = new Set(verdict?.documentIds)
  const pair = found.pairs.findIndex((sides) => {
    const named = new Set(sides.map(({ documentId }) => documentId))
    return named.size === seen.size && [...named].every((id) => seen.has(id))
  })
  return pair === -1 || !found.showBy ? found : name(found.showBy(pair))
}

/** The documents that a dismissed contradiction names and that the person did not look at, sorted. */
export function unseenDocuments(
  { finding: { a, b } }: Pick<NamedFinding, 'finding'>,
  verdict: StoredVerdict | undefined,
): string[] {
  if (verdict?.result !== 'dismissed') return []
  const named = new Set([a.documentId, b.documentId])
  return [...named].filter((id) => !verdict.documentIds.includes(id)).toSorted()
}
