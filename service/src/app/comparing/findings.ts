/** The disagreements in the groups that change. */
import type { Finding, PlacedClaim } from '../../domain/finding.ts'
import { isDebatable } from '../../domain/representatives.ts'
import { findIn, keysOf } from '../../reading/comparing.ts'
import type { Memory } from '../../reading/comparing.ts'
import { groupOf } from '../keyed-claims.ts'
import type { ScopeSeal } from '../scope-seals.ts'
import type { ChangedGroup, Plan } from './plan.ts'
import { placeOf } from './shelf.ts'
import type { Shelf, Trouble } from './shelf.ts'

export interface PlacedFinding {
  readonly group: bigint
  readonly finding: Finding
  /** Both values, by rank. */
  readonly values: readonly [bigint, bigint]
}

export interface Desk {
  readonly shelf: Shelf
  readonly memory: Memory
  readonly trouble: Trouble
  /** A turn for others now and then. */
  pause(): Promise<void> | undefined
}

export async function findAll({ change, groups }: Plan, desk: Desk): Promise<PlacedFinding[]> {
  const found: PlacedFinding[] = []
  for (const group of groups) {
    if (!isDebatable(group.members)) continue
    found.push(...findInGroup(group, change.seal, desk))
    // oxlint-disable-next-line no-await-in-loop -- that is what it is for
    await desk.pause()
  }
  return found
}

function findInGroup(
  { key, plainKey, members }: ChangedGroup,
  seal: ScopeSeal,
  { shelf, memory, trouble }: Desk,
): PlacedFinding[] {
  const ranks = new Map<string, bigint>()
  const present: PlacedClaim[] = []
  for (const member of members) {
    const placed = shelf.take(member)
    if (!placed) continue
    present.push(placed)
    ranks.set(placeOf(member), member.valueRank)
  }
  try {
    return findIn(plainKey ?? plainKeyOf(seal, key, present), present, memory).map((finding) => ({
      group: key,
      finding,
      values: [ranks.get(placeOf(finding.a)) ?? 0n, ranks.get(placeOf(finding.b)) ?? 0n],
    }))
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
