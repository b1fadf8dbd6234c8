/** Encrypts and decrypts claims. The encryption binds each claim to its document, version and number. */
import type { LocatedClaim } from '../../domain/claim.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

export interface SealedClaimRef {
  readonly documentId: string
  readonly version: number
  readonly no: number
}

export interface SealedClaim extends SealedClaimRef {
  readonly sealed: Buffer
}

export function sealClaim(seal: ScopeSeal, ref: SealedClaimRef, json: Buffer): Buffer {
  return seal.seal(purposeOf(ref), ref.documentId, json)
}

/** Decrypts a claim, which is JSON in UTF-8. */
export function openClaimJson(seal: ScopeSeal, claim: SealedClaim): Buffer {
  return seal.open(purposeOf(claim), claim.documentId, claim.sealed)
}

export function openClaim(seal: ScopeSeal, claim: SealedClaim): LocatedClaim {
  return JSON.parse(openClaimJson(seal, claim).toString('utf8'))
}

/** The context that the encryption of a claim is bound to, besides its document. */
const purposeOf = ({ version, no }: SealedClaimRef) => `claim ${version} ${no}`
