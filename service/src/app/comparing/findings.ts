/** The disagreements in the groups that change. Their claims are opened here, each once. */
import type { Claim } from '../../domain/claim.ts'
import type { Finding, PlacedClaim } from '../../domain/finding.ts'
import { isDebatable } from '../../domain/representatives.ts'
import { findIn, keysOf } from '../../reading/comparing.ts'
import type { Memory } from '../../reading/comparing.ts'
import type { Content } from '../../store/comparing.ts'
import { groupOf } from '../keyed-claims.ts'
import type { ScopeSeal } from '../scope-seals.ts'
import type { Candidate, ChangedGroup, Plan } from './plan.ts'

/** Told of a claim that does not open and of a group that cannot be compared. They cost findings, never a document. */
export type Trouble = (error: unknown) => void

export interface PlacedFinding {
  readonly group: bigint
  readonly finding: Finding
  /** Both values, by rank. */
  readonly values: readonly [bigint, bigint]
}

export async function findAll(
  { change: { seal }, groups }: Plan,
  content: Content,
  trouble: Trouble,
  pause: () => Promise<void> | undefined,
): Promise<PlacedFinding[]> {
  const desk: Desk = { seal, shelf: createShelf(seal, content, trouble), memory: new WeakMap(), trouble }
  const found: PlacedFinding[] = []
  for (const group of groups) {
    if (!isDebatable(group.members)) continue
    found.push(...findInGroup(group, desk))
    // oxlint-disable-next-line no-await-in-loop -- a turn for others now and then
    await pause()
  }
  return found
}

/** Claims by their place, each opened once however many groups it is in. */
type Shelf = (member: Candidate) => PlacedClaim | undefined

function createShelf(seal: ScopeSeal, { claims }: Content, trouble: Trouble): Shelf {
  const stored = new Map(claims.map((claim) => [placeOf(claim), claim]))
  const opened = new Map<string, PlacedClaim | undefined>()

  function openMember(member: Candidate): PlacedClaim | undefined {
    const claim = member.fresh ?? stored.get(placeOf(member))
    if (!claim) return undefined
    const { documentId, version, no } = claim
    try {
      const json = member.fresh?.json ?? seal.open('claim', documentId, claim.sealed)
      const parsed: Claim = JSON.parse(json.toString('utf8'))
      return { documentId, version, no, claim: parsed }
    } catch (error) {
      trouble(error)
      return undefined
    }
  }

  return (member) => {
    const place = placeOf(member)
    if (!opened.has(place)) opened.set(place, openMember(member))
    return opened.get(place)
  }
}

interface Desk {
  readonly seal: ScopeSeal
  readonly shelf: Shelf
  readonly memory: Memory
  readonly trouble: Trouble
}

function findInGroup(
  { key, plainKey, members }: ChangedGroup,
  { seal, shelf, memory, trouble }: Desk,
): PlacedFinding[] {
  const ranks = new Map<string, bigint>()
  const present: PlacedClaim[] = []
  for (const member of members) {
    const placed = shelf(member)
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

export function placeOf({ documentId, no }: { readonly documentId: string; readonly no: number }): string {
  return `${no} ${documentId}`
}
