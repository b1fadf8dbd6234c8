/** The decisions of people about a contradiction, and the status that follows. */

export type ContradictionStatus = 'open' | 'resolved' | 'dismissed'
export type Outcome = 'resolved' | 'dismissed' | 'reopened'
export type Holds = 'a' | 'b' | 'both' | 'neither'

/** An open contradiction can be resolved or dismissed, and a closed one reopened. */
export function mayBecome(status: ContradictionStatus, outcome: Outcome): boolean {
  return outcome === 'reopened' ? status !== 'open' : status === 'open'
}

export function statusAfter(outcome: Outcome): ContradictionStatus {
  return outcome === 'reopened' ? 'open' : outcome
}

/** The decision upholds a value. The side that states this value may have changed since. */
export function holdsNow(
  { holds, upheld }: { readonly holds: Holds | null; readonly upheld: bigint | null },
  values: { readonly valueA: bigint | null; readonly valueB: bigint | null } | undefined,
): Holds | null {
  if (upheld === null || values === undefined) return holds
  if (values.valueA === upheld) return 'a'
  return values.valueB === upheld ? 'b' : holds
}
