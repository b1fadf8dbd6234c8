/**
 * Plans a comparison: which groups change when the claims of documents change, and which claims represent these groups
 * afterwards. Only these groups are compared.
 */
import { isDebatable, representativesOf } from '../../domain/representatives.ts'
import type { GroupMember } from '../../domain/representatives.ts'
import type {
  Cut,
  FiledClaim,
  Judging,
  OpenedComparison,
  RequestedGroup,
} from '../../store/comparing/comparison.ts'
import type { KeyedClaim } from '../documents/keyed-claims.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface ChangedDocument {
  readonly documentId: string
  /** All claims of the document after the change. */
  readonly claims: readonly KeyedClaim[]
  readonly isRemoved?: boolean
}

export interface ScopeChange {
  readonly tenantId: string
  readonly scopeId: string
  /** The seal of the present generation. */
  readonly seal: ScopeSeal
  readonly documents: readonly ChangedDocument[]
  /** Groups to compare again although no claim changes: a verdict arrived, or a claim was removed earlier. */
  readonly groups?: readonly bigint[]
}

/** A claim that may represent a group. `fresh` is the claim itself, if it is new. */
export interface Candidate extends FiledClaim {
  readonly fresh?: DocumentClaim
}

export interface DocumentClaim extends KeyedClaim {
  readonly documentId: string
  readonly version: number
}

export interface ChangedGroup {
  readonly key: bigint
  /** The key in plain text, if one of the new claims has it. */
  readonly plainKey: string | undefined
  /** The claims that represent the group after the change. */
  readonly members: readonly Candidate[]
  /** Whether the group could have findings before the change. */
  readonly wasDebatable: boolean
}

export interface GroupExtent {
  readonly key: bigint
  /** Whether the group has at least two values. */
  readonly isDebatable: boolean
  /** The number of claims after the change, and how many of them do not represent the group. */
  readonly total: number
  readonly unrepresented: number
  /** The cut of the group before this change. */
  readonly cut: Cut | undefined
}

export interface Plan {
  readonly change: ScopeChange
  readonly replaced: readonly string[]
  /** The claims of the documents before this change. */
  readonly old: OpenedComparison['old']
  /** For each affected group with claims of other documents: that document, or null if there are several. */
  readonly owners: ReadonlyMap<bigint, string | null>
  readonly claims: readonly DocumentClaim[]
  readonly groups: readonly ChangedGroup[]
  /** The groups that are or may be cut. */
  readonly extents: readonly GroupExtent[]
  readonly judging: Judging
  /** Claims that a model extracted are removed, although `old` does not contain them. */
  readonly hasFacts?: boolean
  /** The facts of the new claims that were compared before. */
  readonly comparedFacts?: ReadonlySet<bigint>
}

/** Sorts before every claim, so that all representatives of the group are loaded. */
const FIRST = { valueRank: -(2n ** 63n), claimRank: -(2n ** 63n) }

/** Returns the groups to load: those of the new claims, and those to compare again. */
export function requestedGroups({ documents, groups = [] }: ScopeChange): RequestedGroup[] {
  const wanted = new Map<bigint, RequestedGroup>(
    groups.map((key) => [key, { key, low: FIRST, highValue: FIRST.valueRank }]),
  )
  for (const { claims } of documents)
    for (const { keys, valueRanks, claimRank } of claims)
      for (const [index, key] of keys.entries()) {
        const rank = { valueRank: valueRanks[index] ?? 0n, claimRank }
        wanted.set(key, widen(wanted.get(key), key, rank))
      }
  return [...wanted.values()]
}

function widen(known: RequestedGroup | undefined, key: bigint, rank: RequestedGroup['low']): RequestedGroup {
  if (!known) return { key, low: rank, highValue: rank.valueRank }
  const { low, highValue } = known
  const isLower =
    rank.valueRank < low.valueRank || (rank.valueRank === low.valueRank && rank.claimRank < low.claimRank)
  return {
    key,
    low: isLower ? rank : low,
    highValue: rank.valueRank > highValue ? rank.valueRank : highValue,
  }
}

/** Returns no plan if there are no claims before or after the change and no group to compare again. */
export function planOf(change: ScopeChange, opening: OpenedComparison | undefined): Plan[] {
  if (!opening) return []
  const claims = change.documents.flatMap(({ documentId, claims: keyed }) => {
    const version = opening.versions.get(documentId)
    return version === undefined ? [] : keyed.map((claim) => ({ ...claim, documentId, version }))
  })
  const again = new Set(change.groups)
  if (claims.length + opening.old.length + again.size === 0) return []
  const replaced = [...new Set(opening.old.map(({ documentId }) => documentId))]
  const { old, judging } = opening
  const touched = touchedGroups(claims, opening, again)
  return [{ change, replaced, old, owners: ownersOf(opening), claims, ...touched, judging }]
}

/** Creates a plan in which no claim changes. */
export function createEmptyPlan(change: ScopeChange): Plan {
  return {
    change,
    replaced: [],
    old: [],
    owners: new Map(),
    claims: [],
    groups: [],
    extents: [],
    judging: { hasVerdicts: false, isWanted: false },
  }
}

function ownersOf({ members, owners }: OpenedComparison): Map<bigint, string | null> {
  const all = new Map(owners)
  for (const [key, [first, ...others]] of members)
    if (first && !all.has(key)) {
      const isOnly = others.every(({ documentId }) => documentId === first.documentId)
      all.set(key, isOnly ? first.documentId : null)
    }
  return all
}

/** Finds the groups that change: a new claim represents them, or an old claim did. */
function touchedGroups(
  claims: readonly DocumentClaim[],
  { old, unmoved, members, cuts, counted }: OpenedComparison,
  again: ReadonlySet<bigint>,
): Pick<Plan, 'groups' | 'extents'> {
  const incoming = fileUnder(claims, (claim, filed) => ({ ...filed, version: claim.version, fresh: claim }))
  const outgoing = fileUnder(old, (_, filed) => filed)
  const groups: ChangedGroup[] = []
  const extents: GroupExtent[] = []
  for (const key of new Set([...incoming.keys(), ...outgoing.keys(), ...again])) {
    const others: readonly Candidate[] = members.get(key) ?? []
    const added = incoming.get(key) ?? []
    const gone = new Set<GroupMember>(outgoing.get(key))
    const cut = cuts.get(key)
    if (unmoved.has(key)) {
      if (cut) {
        const total = cut.total + added.length
        extents.push({ key, isDebatable: true, total, unrepresented: cut.claims + added.length, cut })
      }
      continue
    }
    const before = representativesOf<GroupMember>([...others, ...gone])
    // @point comparison.choose-representatives
    const after = representativesOf([...others, ...added])
    const [wasDebatable, isDebatableNow] = [isDebatable(before), isDebatable(after)]
    const isChanged =
      again.has(key) || before.some((each) => gone.has(each)) || after.some(({ fresh }) => fresh)
    if (isChanged && (wasDebatable || isDebatableNow))
      groups.push({ key, plainKey: plainKeyOf(key, after), members: after, wasDebatable })
    if (!cut && !isDebatableNow) continue
    const stay = cut ? cut.total - gone.size : (counted.get(key) ?? others.length)
    const total = stay + added.length
    extents.push({ key, isDebatable: isDebatableNow, total, unrepresented: total - after.length, cut })
  }
  return { groups, extents }
}

function plainKeyOf(key: bigint, members: readonly Candidate[]): string | undefined {
  const claim = members.find(({ fresh }) => fresh)?.fresh
  return claim?.plainKeys[claim.keys.indexOf(key)]
}

type Keyed = Pick<DocumentClaim, 'documentId' | 'no' | 'claimRank' | 'keys' | 'valueRanks'>

function fileUnder<Each extends Keyed, Member extends GroupMember>(
  claims: readonly Each[],
  toMember: (claim: Each, filed: GroupMember) => Member,
): Map<bigint, Member[]> {
  const filed = new Map<bigint, Member[]>()
  for (const claim of claims) {
    const { documentId, no, claimRank } = claim
    for (const [index, key] of claim.keys.entries()) {
      const member = toMember(claim, { documentId, no, claimRank, valueRank: claim.valueRanks[index] ?? 0n })
      const list = filed.get(key)
      if (list) list.push(member)
      else filed.set(key, [member])
    }
  }
  return filed
}
