/**
 * Chooses the representatives of a group of claims: the six of lowest rank for each value, and the first 32 of these. Ranks
 * are hashes, so the choice depends on the set of claims and not on the order in which they arrived. The representatives
 * of a set and one more claim are among the old representatives and that claim, so the whole group is never loaded.
 */

/** The ranks that sort a claim in its group, and the position that breaks ties. */
export interface GroupMember {
  readonly valueRank: bigint
  readonly claimRank: bigint
  readonly documentId: string
  readonly no: number
}

export const MAX_PER_VALUE = 6
export const MAX_PER_GROUP = 32

export function representativesOf<Each extends GroupMember>(claims: readonly Each[]): Each[] {
  const chosen: Each[] = []
  let value: bigint | undefined
  let ofValue = 0
  for (const claim of claims.toSorted(byRank)) {
    ofValue = claim.valueRank === value ? ofValue + 1 : 1
    value = claim.valueRank
    if (ofValue > MAX_PER_VALUE) continue
    chosen.push(claim)
    if (chosen.length === MAX_PER_GROUP) break
  }
  return chosen
}

/**
 * Sorts like the index of claims. Different claims practically never have equal ranks; if they do, their positions
 * decide.
 */
function byRank(a: GroupMember, b: GroupMember): number {
  return (
    compare(a.valueRank, b.valueRank) ||
    compare(a.claimRank, b.claimRank) ||
    compare(a.documentId, b.documentId) ||
    a.no - b.no
  )
}

function compare<Each extends bigint | string>(a: Each, b: Each): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Whether the group has at least two values. */
export function isDebatable(claims: readonly GroupMember[]): boolean {
  const [first, ...others] = claims
  return first !== undefined && others.some(({ valueRank }) => valueRank !== first.valueRank)
}
