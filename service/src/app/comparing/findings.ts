/** Finds the contradictions in the changed groups, and the pairs that the rules leave open. */
import type { PlacedClaim } from '../../domain/finding.ts'
import { isDebatable } from '../../domain/representatives.ts'
import { findShown, keysOf, openIn } from '../../rules/comparing.ts'
import type { Memory, OpenPair, ShownFinding, Verdicts } from '../../rules/comparing.ts'
import { groupOf } from '../documents/keyed-claims.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'
import { asksJudge, recallGroup } from './group-memo.ts'
import type { ComparedGroup, GroupFindings, GroupMemo, RankedFinding } from './group-memo.ts'
import type { ChangedGroup, Plan } from './plan.ts'
import { claimKey } from './claim-loader.ts'
import type { ClaimLoader, OnCompareError } from './claim-loader.ts'

export interface NamedFinding extends RankedFinding {
  readonly id: string
  /** The content, stored as JSON. */
  readonly body: string
  /** The documents on each side. */
  readonly sides: readonly [readonly string[], readonly string[]]
  /** A hash of the content, to detect changes. */
  readonly fingerprint: bigint
}

export interface CompareContext {
  readonly loader: ClaimLoader
  /** Groups that were compared before. */
  readonly memo: GroupMemo
  readonly memory: Memory
  readonly onCompareError: OnCompareError
  /** Gives the event loop a turn from time to time. */
  pause(): Promise<void> | undefined
}

export interface OpenGroup {
  readonly group: ChangedGroup
  readonly compared: ComparedGroup
  readonly open: readonly OpenPair[]
}

export interface ScopeFindings {
  readonly findings: readonly RankedFinding[]
  /** The number of findings per group beyond those that are kept. */
  readonly omitted: ReadonlyMap<bigint, number>
  /** The groups of scopes that use a judge. */
  readonly open: readonly OpenGroup[]
}

export async function findAll(plan: Plan, context: CompareContext): Promise<ScopeFindings> {
  const findings: RankedFinding[] = []
  const omitted = new Map<bigint, number>()
  const openGroups: OpenGroup[] = []
  for (const group of plan.groups) {
    if (!isDebatable(group.members)) continue
    const compared = recallGroup(plan, group, context.memo) ?? compareGroup(plan, group, context)
    const { found, open = [] } = compared
    findings.push(...found.findings)
    omitted.set(group.key, found.omitted)
    if (open.length > 0) openGroups.push({ group, compared, open })
    // oxlint-disable-next-line no-await-in-loop -- the pause must end before the next group
    await context.pause()
  }
  return { findings, omitted, open: openGroups }
}

function compareGroup(plan: Plan, group: ChangedGroup, context: CompareContext): ComparedGroup {
  const { change } = plan
  const claims = group.members.flatMap((member) => context.loader.take(member) ?? [])
  const plainKey = group.plainKey ?? tryTo(context, '', () => plainKeyOf(change.seal, group.key, claims))
  const found = findInGroup(group, { plainKey, claims }, context)
  const open = asksJudge(plan)
    ? tryTo(context, [], () => openIn(plainKey, claims, context.memory))
    : undefined
  const compared = { plainKey, claims, found, open }
  // If a claim was removed after its group was read, the result does not describe the present group.
  if (group.members.every(context.loader.has)) context.memo.put(change, group, compared)
  return compared
}

/** Compares a group by the rules, and by the verdicts for claims that the rules leave open. */
export function findInGroup(
  { key, members }: ChangedGroup,
  { plainKey, claims }: Pick<ComparedGroup, 'plainKey' | 'claims'>,
  context: Pick<CompareContext, 'memory' | 'onCompareError'>,
  verdicts?: Verdicts,
): GroupFindings {
  const ranks = new Map(members.map((member) => [claimKey(member), member.valueRank]))
  const rankOf = (placed: PlacedClaim) => ranks.get(claimKey(placed)) ?? 0n
  return tryTo(context, { findings: [], omitted: 0 }, () => {
    const { shown, omitted } = findShown(plainKey, claims, context.memory, verdicts)
    return { findings: shown.map((each) => placeShown(each, key, rankOf)), omitted }
  })
}

function placeShown(
  { finding, pairs, restatedBy, showBy }: ShownFinding,
  group: bigint,
  rankOf: (placed: PlacedClaim) => bigint,
): RankedFinding {
  const values = [rankOf(finding.a), rankOf(finding.b)] as const
  // Two claims of the same age have no order, so the value identifies the side.
  const sided = pairs.map(([x, y]) => (rankOf(x) === values[0] ? ([x, y] as const) : ([y, x] as const)))
  const showAs = (pair: number) => placeShown(showBy(pair), group, rankOf)
  return { finding, group, values, pairs: sided, restatedBy, showBy: showAs }
}

function tryTo<Result>(
  { onCompareError }: Pick<CompareContext, 'onCompareError'>,
  otherwise: Result,
  work: () => Result,
): Result {
  try {
    return work()
  } catch (error) {
    onCompareError(error)
    return otherwise
  }
}

/** Finds the plain key of a group among the keys of its claims. Claims of other rules may have none that matches. */
function plainKeyOf(seal: ScopeSeal, group: bigint, present: readonly PlacedClaim[]): string {
  for (const { claim } of present) {
    const plain = keysOf(claim).find((key) => groupOf(seal, key) === group)
    if (plain !== undefined) return plain
  }
  return ''
}
