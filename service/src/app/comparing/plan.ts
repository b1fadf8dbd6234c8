/**
 * Which groups of claims change when documents get other claims than they had, and who represents them then. Only these are
 * compared.
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
  /** All it has from now on. */
  readonly claims: readonly KeyedClaim[]
  readonly isRemoved?: boolean
}

export interface ScopeChange {
  readonly tenantId: string
  readonly scopeId: string
  /** The key of the present generation. */
  readonly seal: ScopeSeal
  readonly documents: readonly ChangedDocument[]
  /** To be compared anew though no claim comes or goes now: something else was learnt, or a claim went before. */
  readonly groups?: readonly bigint[]
}

/** One that a group may be represented by; with the claim itself where that is at hand. */
export interface Candidate extends FiledClaim {
  readonly fresh?: PlacedKeyedClaim
}

export interface PlacedKeyedClaim extends KeyedClaim {
  readonly documentId: string
  readonly version: number
}

export interface ChangedGroup {
  readonly key: bigint
  /** In plain words, where one of the new claims is filed under it. */
  readonly plainKey: string | undefined
  /** The claims that represent the group from now on. */
  readonly members: readonly Candidate[]
  /** Whether anything can have been found in it before. */
  readonly wasDebatable: boolean
}

export interface GroupExtent {
  readonly key: bigint
  /** Whether there is something to disagree about. */
  readonly isDebatable: boolean
  /** How many claims it has from now on, and how many of them do not represent it. */
  readonly total: number
  readonly unheard: number
  /** The cut of the group before this change. */
  readonly cut: Cut | undefined
}

export interface Plan {
  readonly change: ScopeChange
  readonly replaced: readonly string[]
  /** The claims of the documents before this change. */
  readonly old: OpenedComparison['old']
  /** For each group that is touched and has claims of others: their document, or null where they are of several. */
  readonly owners: ReadonlyMap<bigint, string | null>
  readonly claims: readonly PlacedKeyedClaim[]
  readonly groups: readonly ChangedGroup[]
  /** Groups of which something is or may be left out. */
  readonly extents: readonly GroupExtent[]
  readonly judging: Judging
  /** Claims that a model extracted go, though `old` does not name them. */
  readonly hasFacts?: boolean
  /** Facts of the new claims that are compared already. */
  readonly comparedFacts?: ReadonlySet<bigint>
}

/** Before every claim, so that all who represent the group are told. */
const FIRST = { valueRank: -(2n ** 63n), claimRank: -(2n ** 63n) }

/** The questions about the groups that new claims are filed under, and of those that are to be compared anew. */
export function wantedGroups({ documents, groups = [] }: ScopeChange): RequestedGroup[] {
  const wanted = new Map<bigint, RequestedGroup>(
    groups.map((key) => [key, { key, low: FIRST, highValue: FIRST.valueRank }]),
  )
  for (const { claims } of documents)
    for (const { keys, valueRanks, claimRank } of claims)
      for (const [index, key] of keys.entries()) {
        const place = { valueRank: valueRanks[index] ?? 0n, claimRank }
        wanted.set(key, widen(wanted.get(key), key, place))
      }
  return [...wanted.values()]
}

function widen(known: RequestedGroup | undefined, key: bigint, place: RequestedGroup['low']): RequestedGroup {
  if (!known) return { key, low: place, highValue: place.valueRank }
  const { low, highValue } = known
  const isLower =
    place.valueRank < low.valueRank || (place.valueRank === low.valueRank && place.claimRank < low.claimRank)
  return {
    key,
    low: isLower ? place : low,
    highValue: place.valueRank > highValue ? place.valueRank : highValue,
  }
}

/** None where nothing was and nothing will be. */
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

/** No claim comes or goes. */
export function planOfNothing(change: ScopeChange): Plan {
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

/** A group changes where one of the new claims comes to represent it, or one of the old has done so. */
function touchedGroups(
  claims: readonly PlacedKeyedClaim[],
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
        extents.push({ key, isDebatable: true, total, unheard: cut.claims + added.length, cut })
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
    extents.push({ key, isDebatable: isDebatableNow, total, unheard: total - after.length, cut })
  }
  return { groups, extents }
}

function plainKeyOf(key: bigint, members: readonly Candidate[]): string | undefined {
  const claim = members.find(({ fresh }) => fresh)?.fresh
  return claim?.plainKeys[claim.keys.indexOf(key)]
}

type Keyed = Pick<PlacedKeyedClaim, 'documentId' | 'no' | 'claimRank' | 'keys' | 'valueRanks'>

function fileUnder<Each extends Keyed, Place extends GroupMember>(
  claims: readonly Each[],
  toPlace: (claim: Each, filed: GroupMember) => Place,
): Map<bigint, Place[]> {
  const filed = new Map<bigint, Place[]>()
  for (const claim of claims) {
    const { documentId, no, claimRank } = claim
    for (const [index, key] of claim.keys.entries()) {
      const place = toPlace(claim, { documentId, no, claimRank, valueRank: claim.valueRanks[index] ?? 0n })
      const list = filed.get(key)
      if (list) list.push(place)
      else filed.set(key, [place])
    }
  }
  return filed
}
