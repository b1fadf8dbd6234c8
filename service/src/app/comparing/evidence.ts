/**
 * Finds new evidence against an upheld value. A contradiction that was resolved in favour of one side is reopened when a
 * new document contradicts the upheld claim: it states the other side's value, or a third one. A document that repeats
 * its own statement, or that stays while others are removed, is not new evidence.
 */
import type { StoredVerdict } from '../../store/contradictions/verdicts.ts'
import type { RankedFinding } from './group-memo.ts'
import type { Plan } from './plan.ts'
import { claimKey } from './claim-loader.ts'

/**
 * Returns true if the document states a value in a group that it did not state before. A further witness of a fact is
 * not new.
 */
export type IsNewStatement = (documentId: string, group: bigint, value: bigint) => boolean

export function createNewStatementCheck({
  change,
  old,
  claims,
}: Pick<Plan, 'change' | 'old' | 'claims'>): IsNewStatement {
  const facts = new Set(claims.map(({ fact }) => fact?.key))
  const fresh = new Set(change.documents.map(({ documentId }) => documentId))
  const said = new Set<string>()
  for (const { documentId, keys, valueRanks } of old)
    for (const [index, key] of keys.entries()) said.add(`${key} ${valueRanks[index]} ${documentId}`)
  return (documentId, group, value) =>
    fresh.has(documentId) && !facts.has(value) && !said.has(`${group} ${value} ${documentId}`)
}

/**
 * Returns the documents that are new evidence against the upheld value, sorted. `others` are the findings of the same group
 * that are not dismissed.
 */
export function evidenceAgainst(
  { upheld, against }: StoredVerdict,
  resolved: RankedFinding,
  others: readonly RankedFinding[],
  isNew: IsNewStatement,
): string[] {
  if (upheld === null) return []
  const known = new Set(against)
  const held = new Set(sidesOf(resolved, upheld).map(({ holding }) => claimKey(holding)))
  const found = new Set<string>()
  for (const other of [resolved, ...others.filter(({ finding }) => finding.relation !== 'change')])
    for (const { holding, opposing, value } of sidesOf(other, upheld)) {
      const { documentId } = opposing
      if (held.has(claimKey(holding)) && !known.has(documentId) && isNew(documentId, other.group, value))
        found.add(documentId)
    }
  return [...found].toSorted()
}

/**
 * Splits each pair into the claim with the upheld value and the claim with another `value`. Returns none if no side has
 * the upheld value.
 */
function sidesOf({ values: [a, b], pairs }: RankedFinding, upheld: bigint) {
  if (a === upheld) return pairs.map(([holding, opposing]) => ({ holding, opposing, value: b }))
  if (b === upheld) return pairs.map(([opposing, holding]) => ({ holding, opposing, value: a }))
  return []
}
