/** The claims that one comparison looks at, each opened once however many groups it is in. */
import type { Claim } from '../../domain/claim.ts'
import type { PlacedClaim } from '../../domain/finding.ts'
import { isDebatable } from '../../domain/representatives.ts'
import type { StoredClaim } from '../../store/comparing.ts'
import type { OpenedClaims } from './opened-claims.ts'
import type { Candidate, Plan } from './plan.ts'

/** Told of a claim that does not open and of a group that cannot be compared. They cost findings, never a document. */
export type Trouble = (error: unknown) => void

export interface Shelf {
  /** Those that must be fetched. */
  readonly missing: readonly Candidate[]
  fill(fetched: readonly StoredClaim[]): void
  take(member: Candidate): PlacedClaim | undefined
}

export function createShelf({ change, groups }: Plan, opened: OpenedClaims, trouble: Trouble): Shelf {
  const { tenantId, scopeId, seal } = change
  const wanted = new Map<string, Candidate>()
  for (const { members } of groups)
    if (isDebatable(members)) for (const member of members) wanted.set(placeOf(member), member)
  const claims = new Map<string, PlacedClaim>()
  const missing: Candidate[] = []

  const openedAs = ({ claimRank }: Candidate) => `${tenantId} ${scopeId} ${seal.epoch} ${claimRank}`

  function put(place: string, member: Candidate, claim: Claim): void {
    const { documentId, version, no } = member
    claims.set(place, { documentId, version, no, claim })
  }

  function open(place: string, member: Candidate, read: () => Buffer): void {
    try {
      const claim: Claim = JSON.parse(read().toString('utf8'))
      put(place, member, claim)
      opened.keep(openedAs(member), claim)
    } catch (error) {
      trouble(error)
    }
  }

  for (const [place, member] of wanted) {
    const { fresh } = member
    const known = opened.get(openedAs(member))
    if (known) put(place, member, known)
    else if (fresh) open(place, member, () => fresh.json)
    else missing.push(member)
  }
  return {
    missing,
    fill(fetched) {
      for (const { documentId, no, sealed } of fetched) {
        const place = placeOf({ documentId, no })
        const member = wanted.get(place)
        if (member) open(place, member, () => seal.open('claim', documentId, sealed))
      }
    },
    take: (member) => claims.get(placeOf(member)),
  }
}

export function placeOf({ documentId, no }: { readonly documentId: string; readonly no: number }): string {
  return `${no} ${documentId}`
}
