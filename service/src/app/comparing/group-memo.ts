/**
 * Stores the results of groups that were compared before the scope was locked, so that the transaction only looks them up. The
 * result of a group depends only on its members. A group whose members changed meanwhile is not found.
 */
import type { PlacedClaim } from '../../domain/finding.ts'
import type { OpenPair, ShownFinding } from '../../rules/comparing.ts'
import type { ChangedGroup, Plan, ScopeChange } from './plan.ts'

/** The first claim of each pair states the first value, the second claim states the second value. */
export interface RankedFinding extends Omit<ShownFinding, 'showBy'> {
  readonly group: bigint
  /** The ranks of both values. */
  readonly values: readonly [bigint, bigint]
  /** Returns the same finding, shown by another of its pairs. Undefined if there is only one pair. */
  readonly showBy?: ((pair: number) => RankedFinding) | undefined
}

export interface GroupFindings {
  readonly findings: readonly RankedFinding[]
  /** The number of findings beyond those that are kept. */
  readonly omitted: number
}

export interface ComparedGroup {
  /** The key of the group in plain text. */
  readonly plainKey: string
  readonly claims: readonly PlacedClaim[]
  readonly found: GroupFindings
  /** The pairs that the rules leave open. Undefined if the scope uses no judge. */
  readonly open: readonly OpenPair[] | undefined
  /** The same group compared with the verdicts of a judge. */
  judged?: { readonly verdicts: string; readonly found: GroupFindings }
  /** The hashes of the open pairs, in their order. */
  hashes?: readonly string[]
}

export interface GroupMemo {
  get(change: ScopeChange, group: ChangedGroup): ComparedGroup | undefined
  put(change: ScopeChange, group: ChangedGroup, compared: ComparedGroup): void
}

/** Returns undefined if the group has to be compared: it was not compared with these members, or not for a judge. */
export function recallGroup(plan: Plan, group: ChangedGroup, memo: GroupMemo): ComparedGroup | undefined {
  const known = memo.get(plan.change, group)
  return known && asksJudge(plan) && known.open === undefined ? undefined : known
}

export function asksJudge({ judging }: Plan): boolean {
  return judging.hasVerdicts || judging.isWanted
}

export function createGroupMemo(): GroupMemo {
  const known = new Map<string, { readonly members: string; readonly compared: ComparedGroup }>()
  return {
    get(change, group) {
      const entry = known.get(locationOf(change, group))
      return entry?.members === membersOf(group) ? entry.compared : undefined
    },
    put(change, group, compared) {
      known.set(locationOf(change, group), { members: membersOf(group), compared })
    },
  }
}

function locationOf({ tenantId, scopeId, seal }: ScopeChange, { key }: ChangedGroup): string {
  return `${tenantId} ${scopeId} ${seal.epoch} ${key}`
}

/**
 * The rank of a claim is a hash of its document and content. Number and version are included, because findings contain
 * them.
 */
function membersOf({ members }: ChangedGroup): string {
  return members.map(({ claimRank, no, version }) => `${claimRank} ${no} ${version}`).join()
}
