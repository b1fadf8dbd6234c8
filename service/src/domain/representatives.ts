/**
 * Chooses the representatives of a group of claims: of each value the six of lowest rank, and of those the first 32. Ranks are hashes, so it
 * follows from the set of claims alone, whatever the order in which they came; and whoever represents a set together with
 * one more claim is among the representatives of the set and that claim. So nobody ever has to look at the whole group.
 */

/** The position of a claim in a group. */
export interface Filed {
  readonly valueRank: bigint
  readonly claimRank: bigint
  readonly documentId: string
  readonly no: number
}

export const OF_A_VALUE = 6
export const OF_A_GROUP = 32

export function representativesOf<Each extends Filed>(claims: readonly Each[]): Each[] {
  const chosen: Each[] = []
  let value: bigint | undefined
  let ofValue = 0
  for (const claim of claims.toSorted(byRank)) {
    ofValue = claim.valueRank === value ? ofValue + 1 : 1
    value = claim.valueRank
    if (ofValue > OF_A_VALUE) continue
    chosen.push(claim)
    if (chosen.length === OF_A_GROUP) break
  }
  return chosen
}

/**
 * Sorts like the index of claims. Different claims practically never have equal ranks; if they do, their positions
 * decide.
 */
function byRank(a: Filed, b: Filed): number {
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
export function isDebatable(claims: readonly Filed[]): boolean {
  const [first, ...others] = claims
  return first !== undefined && others.some(({ valueRank }) => valueRank !== first.valueRank)
}
