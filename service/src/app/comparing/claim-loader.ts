/** Loads the claims that a comparison needs. Each is decrypted once, however many groups it is in. */
import type { LocatedClaim } from '../../domain/claim.ts'
import type { PlacedClaim } from '../../domain/finding.ts'
import { isDebatable } from '../../domain/representatives.ts'
import type { StoredClaim } from '../../store/comparing/comparison.ts'
import { openClaimJson } from '../documents/claim-seals.ts'
import { recallGroup } from './group-memo.ts'
import type { GroupMemo } from './group-memo.ts'
import type { OpenedClaims } from './opened-claims.ts'
import type { Candidate, Plan } from './plan.ts'

/**
 * Called for a claim that cannot be decrypted or a group that cannot be compared. Its findings are missing, but the
 * document is processed.
 */
export type OnCompareError = (error: unknown) => void

export interface ClaimLoader {
  /** The claims that have to be fetched from the database. */
  readonly missing: readonly Candidate[]
  /** The estimated work in pairs of claims that were never compared, including decrypting claims and looking up known pairs. */
  readonly work: number
  fill(fetched: readonly StoredClaim[]): void
  take(member: Candidate): PlacedClaim | undefined
  /** True if the claim was found, even if it could not be decrypted. */
  has(member: Candidate): boolean
}

/** The cost of decrypting and preparing a claim, as a number of pairs. */
const CLAIM_PRICE = 10
/** The cost of looking up the known result of a pair, as a number of pairs. */
const KNOWN_PAIR_PRICE = 0.1

/** Creates a loader for the groups that are not in the memo. */
export function createClaimLoader(
  plan: Plan,
  opened: OpenedClaims,
  onCompareError: OnCompareError,
  memo: GroupMemo,
): ClaimLoader {
  const { tenantId, scopeId, seal } = plan.change
  const groups = plan.groups.filter((group) => isDebatable(group.members) && !recallGroup(plan, group, memo))
  const wanted = new Map<string, Candidate>()
  for (const { members } of groups) for (const member of members) wanted.set(claimKey(member), member)
  const claims = new Map<string, PlacedClaim>()
  const seen = new Set<string>()
  const fresh: [key: string, member: Candidate, json: Buffer][] = []
  const missing: Candidate[] = []

  const openedAs = ({ claimRank }: Candidate) => `${tenantId} ${scopeId} ${seal.epoch} ${claimRank}`

  function put(key: string, member: Candidate, claim: LocatedClaim): void {
    const { documentId, version, no } = member
    seen.add(key)
    claims.set(key, { documentId, version, no, claim })
  }

  function open(key: string, member: Candidate, read: () => Buffer): void {
    try {
      seen.add(key)
      const claim: LocatedClaim = JSON.parse(read().toString('utf8'))
      put(key, member, claim)
      opened.keep(openedAs(member), claim)
    } catch (error) {
      onCompareError(error)
    }
  }

  for (const [key, member] of wanted) {
    const known = opened.get(openedAs(member))
    if (known) put(key, member, known)
    else if (member.fresh) fresh.push([key, member, member.fresh.json])
    else missing.push(member)
  }
  const has = (member: Candidate) => seen.has(claimKey(member))
  return {
    missing,
    work:
      CLAIM_PRICE * (fresh.length + missing.length) + sumOf(groups, ({ members }) => priceOf(members, has)),
    fill(fetched) {
      for (const [key, member, json] of fresh) open(key, member, () => json)
      for (const stored of fetched) {
        const key = claimKey(stored)
        const member = wanted.get(key)
        if (member) open(key, member, () => openClaimJson(seal, stored))
      }
    },
    take: (member) => claims.get(claimKey(member)),
    has,
  }
}

/** Cached claims have been compared with each other already. */
function priceOf(members: readonly Candidate[], isKnown: (member: Candidate) => boolean): number {
  const known = pairsAmong(members.filter(isKnown).length)
  return pairsAmong(members.length) - known + KNOWN_PAIR_PRICE * known
}

function pairsAmong(count: number): number {
  return (count * (count - 1)) / 2
}

function sumOf<Each>(items: readonly Each[], read: (item: Each) => number): number {
  return items.reduce((total, item) => total + read(item), 0)
}

export function claimKey({ documentId, no }: { readonly documentId: string; readonly no: number }): string {
  return `${no} ${documentId}`
}
