/** Brings the claims of a scope together by their keys, and finds what the service would find in each group. */
import { createHash } from 'node:crypto'
import type { Finding, PlacedClaim } from '@concord/service/src/domain/finding.ts'
import { representativesOf } from '@concord/service/src/domain/representatives.ts'
import { findIn, keysOf, valueKeyOf } from './reading.ts'

export interface Group {
  readonly key: string
  readonly members: readonly PlacedClaim[]
  /** Those compared. */
  readonly chosen: readonly PlacedClaim[]
}

export function groupClaims(claims: readonly PlacedClaim[]): ReadonlyMap<string, Group> {
  const byKey = new Map<string, PlacedClaim[]>()
  for (const placed of claims) {
    for (const key of new Set(keysOf(placed.claim))) {
      const members = byKey.get(key)
      if (members === undefined) byKey.set(key, [placed])
      else members.push(placed)
    }
  }
  const groups = [...byKey].map(([key, members]): Group => {
    const chosen = representatives(key, members)
    return { key, members, chosen }
  })
  return new Map(groups.toSorted((x, y) => (x.key < y.key ? -1 : 1)).map((group) => [group.key, group]))
}

/** Chosen as the service chooses; there the hashes have a key, so who is left out of a large group may differ. */
function representatives(key: string, members: readonly PlacedClaim[]): readonly PlacedClaim[] {
  if (members.length < 2) return members
  const filed = members.map((member) => ({
    member,
    documentId: member.documentId,
    no: member.no,
    valueRank: rankOf('value', key, valueKeyOf(member.claim)),
    claimRank: rankOf('claim', member.documentId, JSON.stringify(member.claim)),
  }))
  return representativesOf(filed).map(({ member }) => member)
}

function rankOf(...parts: readonly string[]): bigint {
  return createHash('sha256').update(parts.join('\0')).digest().readBigUInt64BE()
}

/** The union over all groups: two claims may share several keys and are reported once. */
export function findAll(groups: ReadonlyMap<string, Group>): readonly Finding[] {
  const found = new Map<string, Finding>()
  for (const { key, chosen } of groups.values()) {
    if (chosen.length < 2) continue
    for (const finding of findIn(key, chosen)) {
      const pair = pairKey(finding.a, finding.b)
      const known = found.get(pair)
      if (known === undefined || known.confidence < finding.confidence) found.set(pair, finding)
    }
  }
  return [...found.values()]
}

export const placeKey = ({ documentId, no }: PlacedClaim) => `${documentId}#${no}`

const pairKey = (a: PlacedClaim, b: PlacedClaim) => [placeKey(a), placeKey(b)].toSorted().join(' ')

/** Different pairs of claims that stand in a group together and in different documents. */
export function countPairs(groups: ReadonlyMap<string, Group>): number {
  const pairs = new Set<string>()
  for (const { chosen } of groups.values())
    for (const [index, a] of chosen.entries())
      for (const b of chosen.slice(index + 1)) if (a.documentId !== b.documentId) pairs.add(pairKey(a, b))
  return pairs.size
}
