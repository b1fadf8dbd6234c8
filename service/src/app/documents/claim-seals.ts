/** Sealed claims: each opens only as the claim of this number of this version of its document. */
import type { Claim } from '../../domain/claim.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface ClaimPlace {
  readonly documentId: string
  readonly version: number
  readonly no: number
}

export interface SealedClaim extends ClaimPlace {
  readonly sealed: Buffer
}

export function sealClaim(seal: ScopeSeal, place: ClaimPlace, json: Buffer): Buffer {
  return seal.seal(purposeOf(place), place.documentId, json)
}

/** As JSON in UTF-8. */
export function openClaimJson(seal: ScopeSeal, claim: SealedClaim): Buffer {
  return seal.open(purposeOf(claim), claim.documentId, claim.sealed)
}

export function openClaim(seal: ScopeSeal, claim: SealedClaim): Claim {
  return JSON.parse(openClaimJson(seal, claim).toString('utf8'))
}

/** What a sealed claim is bound to beside its document. */
const purposeOf = ({ version, no }: ClaimPlace) => `claim ${version} ${no}`
