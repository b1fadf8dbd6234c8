/** Sealed claims: each opens only as the claim of this number of this version of its document. */
import type { LocatedClaim } from '../../domain/claim.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface SealedClaimPlace {
  readonly documentId: string
  readonly version: number
  readonly no: number
}

export interface SealedClaim extends SealedClaimPlace {
  readonly sealed: Buffer
}

export function sealClaim(seal: ScopeSeal, place: SealedClaimPlace, json: Buffer): Buffer {
  return seal.seal(purposeOf(place), place.documentId, json)
}

/** Opens claims, which are JSON in UTF-8. */
export function openClaimJson(seal: ScopeSeal, claim: SealedClaim): Buffer {
  return seal.open(purposeOf(claim), claim.documentId, claim.sealed)
}

export function openClaim(seal: ScopeSeal, claim: SealedClaim): LocatedClaim {
  return JSON.parse(openClaimJson(seal, claim).toString('utf8'))
}

/** The context that a sealed claim is bound to beside its document. */
const purposeOf = ({ version, no }: SealedClaimPlace) => `claim ${version} ${no}`
