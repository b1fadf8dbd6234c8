/**
 * Claims on their way into the database: sealed, and with keyed hashes for what they are looked up and sorted by. All of it
 * is done before anybody waits for the scope.
 */
import type { ClaimKind } from '../domain/claim.ts'
import { rankOf } from '../platform/fingerprint.ts'
import type { ScopeSeal } from './scope-seals.ts'

/** As the process that read the document hands it over. */
export interface ReadClaim {
  readonly kind: ClaimKind
  /** What it is about, most telling first: claims that share a key may disagree. */
  readonly keys: readonly string[]
  /** Claims that share it say the same. */
  readonly valueKey: string
  /** The claim as JSON in UTF-8; equal claims are equal bytes. */
  readonly json: Buffer
}

export interface KeyedClaim {
  readonly no: number
  readonly kind: ClaimKind
  readonly plainKeys: readonly string[]
  readonly keys: readonly bigint[]
  /** Of its value, in the group of each key. */
  readonly valueRanks: readonly bigint[]
  readonly claimRank: bigint
  readonly json: Buffer
  readonly sealed: Buffer
}

export function keyClaims(seal: ScopeSeal, documentId: string, claims: readonly ReadClaim[]): KeyedClaim[] {
  const rank = (...parts: readonly string[]) => rankOf(seal.print(parts))
  return claims.map(({ kind, keys, valueKey, json }, no) => ({
    no,
    kind,
    plainKeys: keys,
    keys: keys.map((key) => rank('key', key)),
    valueRanks: keys.map((key) => rank('value', key, valueKey)),
    claimRank: rank('claim', documentId, json.toString('utf8')),
    json,
    sealed: seal.seal('claim', documentId, json),
  }))
}
