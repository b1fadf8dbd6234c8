/**
 * When a document contradicts what was upheld. A contradiction that was resolved in favour of one side is open again when a
 * document comes that was not known to say otherwise and now does: it says what the other side said, or something else
 * again, of the same claim that was upheld. Who says once more what it said, and who stays when others go, is no news.
 */
import type { StoredVerdict } from '../../store/contradictions/verdicts.ts'
import type { PlacedFinding } from './group-memo.ts'
import type { Plan } from './plan.ts'
import { claimKey } from './claim-loader.ts'

/** Whether a document says something in a group that it did not say before. One more document that states a fact is no news. */
export type News = (documentId: string, group: bigint, value: bigint) => boolean

export function newsOf({ change, old, claims }: Pick<Plan, 'change' | 'old' | 'claims'>): News {
  const facts = new Set(claims.map(({ fact }) => fact?.key))
  const fresh = new Set(change.documents.map(({ documentId }) => documentId))
  const said = new Set<string>()
  for (const { documentId, keys, valueRanks } of old)
    for (const [index, key] of keys.entries()) said.add(`${key} ${valueRanks[index]} ${documentId}`)
  return (documentId, group, value) =>
    fresh.has(documentId) && !facts.has(value) && !said.has(`${group} ${value} ${documentId}`)
}

/**
 * The documents that speak against what was upheld, sorted; none where it stands. `others` are the findings of the same
 * group that nobody has dismissed.
 */
export function evidenceAgainst(
  { upheld, against }: StoredVerdict,
  resolved: PlacedFinding,
  others: readonly PlacedFinding[],
  isNews: News,
): string[] {
  if (upheld === null) return []
  const known = new Set(against)
  const held = new Set(sidesOf(resolved, upheld).map(({ holding }) => claimKey(holding)))
  const found = new Set<string>()
  for (const other of [resolved, ...others.filter(({ finding }) => finding.relation !== 'change')])
    for (const { holding, opposing, value } of sidesOf(other, upheld)) {
      const { documentId } = opposing
      if (held.has(claimKey(holding)) && !known.has(documentId) && isNews(documentId, other.group, value))
        found.add(documentId)
    }
  return [...found].toSorted()
}

/** Each pair as what says the upheld value and what says `value` instead; none where nothing says the former. */
function sidesOf({ values: [a, b], pairs }: PlacedFinding, upheld: bigint) {
  if (a === upheld) return pairs.map(([holding, opposing]) => ({ holding, opposing, value: b }))
  if (b === upheld) return pairs.map(([opposing, holding]) => ({ holding, opposing, value: a }))
  return []
}
