/** The disagreements in the groups that change. Their claims are opened here, each once. */
import type { Claim } from '../../domain/claim.ts'
import type { Finding, PlacedClaim } from '../../domain/finding.ts'
import { isDebatable } from '../../domain/representatives.ts'
import { findIn, keysOf } from '../../reading/comparing.ts'
import type { Memory } from '../../reading/comparing.ts'
import type { Content } from '../../store/comparing.ts'
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
  const shelf = createShelf(seal, content, trouble)
  const memory: Memory = new WeakMap()
  const found: PlacedFinding[] = []
  for (const group of groups) {
    if (!isDebatable(group.members)) continue
    found.push(...findInGroup(group, shelf, trouble, memory))
    // oxlint-disable-next-line no-await-in-loop -- a turn for others now and then
    await pause()
  }
  return found
}

/** A claim with what it was filed under; opened once, however many groups it is in. */
interface Shelved {
  readonly placed: PlacedClaim
  readonly keys: readonly bigint[]
}

type Shelf = (member: Candidate) => Shelved | undefined

function createShelf(seal: ScopeSeal, { claims }: Content, trouble: Trouble): Shelf {
  const stored = new Map(claims.map((claim) => [placeOf(claim), claim]))
  const opened = new Map<string, Shelved | undefined>()

  function openMember(member: Candidate): Shelved | undefined {
    const claim = member.fresh ?? stored.get(placeOf(member))
    if (!claim) return undefined
    const { documentId, version, no, keys } = claim
    try {
      const json = member.fresh?.json ?? seal.open('claim', documentId, claim.sealed)
      const parsed: Claim = JSON.parse(json.toString('utf8'))
      return { placed: { documentId, version, no, claim: parsed }, keys }
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

function findInGroup(
  { key, members }: ChangedGroup,
  shelf: Shelf,
  trouble: Trouble,
  memory: Memory,
): PlacedFinding[] {
  const ranks = new Map<string, bigint>()
  const present: Shelved[] = []
  for (const member of members) {
    const shelved = shelf(member)
    if (!shelved) continue
    present.push(shelved)
    ranks.set(placeOf(member), member.valueRank)
  }
  try {
    const findings = findIn(
      plainKeyOf(key, present),
      present.map(({ placed }) => placed),
      memory,
    )
    return findings.map((finding) => ({
      group: key,
      finding,
      values: [ranks.get(placeOf(finding.a)) ?? 0n, ranks.get(placeOf(finding.b)) ?? 0n],
    }))
  } catch (error) {
    trouble(error)
    return []
  }
}

/** The hash has no way back, but each claim that was filed under it knows what it was made of. */
function plainKeyOf(key: bigint, present: readonly Shelved[]): string {
  const [first] = present
  const index = first?.keys.indexOf(key) ?? -1
  return (first && keysOf(first.placed.claim)[index]) ?? ''
}

export function placeOf({ documentId, no }: { readonly documentId: string; readonly no: number }): string {
  return `${no} ${documentId}`
}
