/** The disagreements in the groups that change, and what in them rules leave open. */
import type { PlacedClaim } from '../../domain/finding.ts'
import { isDebatable } from '../../domain/representatives.ts'
import { findShown, keysOf, openIn } from '../../reading/comparing.ts'
import type { Memory, OpenPair, ShownFinding, Verdicts } from '../../reading/comparing.ts'
import { groupOf } from '../keyed-claims.ts'
import type { ScopeSeal } from '../scope-seals.ts'
import type { ChangedGroup, Plan } from './plan.ts'
import { placeOf } from './shelf.ts'
import type { Shelf, Trouble } from './shelf.ts'

/** Its pairs are as its sides are: what says the first value comes first. */
export interface PlacedFinding extends ShownFinding {
  readonly group: bigint
  /** Both values, by rank. */
  readonly values: readonly [bigint, bigint]
}

export interface NamedFinding extends PlacedFinding {
  readonly id: string
  /** As JSON. */
  readonly body: string
  /** All that were compared and are on that side. */
  readonly sides: readonly [readonly string[], readonly string[]]
  /** The same as long as it says the same. */
  readonly print: bigint
}

export interface Desk {
  readonly shelf: Shelf
  readonly memory: Memory
  readonly trouble: Trouble
  /** A turn for others now and then. */
  pause(): Promise<void> | undefined
}

export interface OpenGroup {
  readonly group: ChangedGroup
  readonly open: readonly OpenPair[]
}

export interface GroupFindings {
  readonly findings: readonly PlacedFinding[]
  /** How many more there are than are kept. */
  readonly untold: number
}

export interface Found {
  readonly findings: readonly PlacedFinding[]
  /** By group: how many more there are than are kept. */
  readonly untold: ReadonlyMap<bigint, number>
  /** Of scopes with which a judge has to do. */
  readonly open: readonly OpenGroup[]
}

export async function findAll({ change, groups, judging }: Plan, desk: Desk): Promise<Found> {
  const asks = judging.hasVerdicts || judging.isWanted
  const findings: PlacedFinding[] = []
  const untold = new Map<bigint, number>()
  const open: OpenGroup[] = []
  for (const group of groups) {
    if (!isDebatable(group.members)) continue
    const found = findInGroup(group, change.seal, desk)
    findings.push(...found.findings)
    untold.set(group.key, found.untold)
    if (asks) open.push({ group, open: openInGroup(group, change.seal, desk) })
    // oxlint-disable-next-line no-await-in-loop -- that is what it is for
    await desk.pause()
  }
  return { findings, untold, open: open.filter((each) => each.open.length > 0) }
}

interface Present {
  readonly plainKey: string
  readonly claims: readonly PlacedClaim[]
}

function presentIn({ key, plainKey, members }: ChangedGroup, seal: ScopeSeal, shelf: Shelf): Present {
  const claims = members.flatMap((member) => shelf.take(member) ?? [])
  return { plainKey: plainKey ?? plainKeyOf(seal, key, claims), claims }
}

/** With verdicts, what those say of claims that rules leave open. */
export function findInGroup(
  group: ChangedGroup,
  seal: ScopeSeal,
  { shelf, memory, trouble }: Desk,
  verdicts?: Verdicts,
): GroupFindings {
  const ranks = new Map(group.members.map((member) => [placeOf(member), member.valueRank]))
  const rankOf = (placed: PlacedClaim) => ranks.get(placeOf(placed)) ?? 0n
  try {
    const { plainKey, claims } = presentIn(group, seal, shelf)
    const { shown, untold } = findShown(plainKey, claims, memory, verdicts)
    const findings = shown.map(({ pairs, ...each }) => {
      const { finding } = each
      const values = [rankOf(finding.a), rankOf(finding.b)] as const
      // Of two that are equally old, either may come first; a side is told by what it says.
      const sided = pairs.map(([x, y]) => (rankOf(x) === values[0] ? ([x, y] as const) : ([y, x] as const)))
      return { ...each, group: group.key, values, pairs: sided }
    })
    return { findings, untold }
  } catch (error) {
    trouble(error)
    return { findings: [], untold: 0 }
  }
}

function openInGroup(group: ChangedGroup, seal: ScopeSeal, { shelf, memory, trouble }: Desk): OpenPair[] {
  try {
    const { plainKey, claims } = presentIn(group, seal, shelf)
    return openIn(plainKey, claims, memory)
  } catch (error) {
    trouble(error)
    return []
  }
}

/** A hash has no way back, but a claim that is filed under it knows what it was made of; one by other rules may not. */
function plainKeyOf(seal: ScopeSeal, group: bigint, present: readonly PlacedClaim[]): string {
  for (const { claim } of present) {
    const plain = keysOf(claim).find((key) => groupOf(seal, key) === group)
    if (plain !== undefined) return plain
  }
  return ''
}
