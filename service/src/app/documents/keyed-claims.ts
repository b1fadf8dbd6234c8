/**
 * Prepares claims for the database: encrypts them and computes the keyed hashes by which they are looked up and sorted. This
 * happens before the transaction that locks the scope.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LocatedClaim, ClaimKind } from '../../domain/claim.ts'
import { rankOf } from '../../platform/fingerprint.ts'
import { keysOf, valueKeyOf } from '../../rules/comparing.ts'
import { sealClaim } from './claim-seals.ts'
import type { SealedClaimRef } from './claim-seals.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

/** A claim as the process that read the document returns it. */
export interface ReadClaim {
  readonly kind: ClaimKind
  /** The subjects, most relevant first: claims that share a key may disagree. */
  readonly keys: readonly string[]
  /** Claims with the same value key state the same value. */
  readonly valueKey: string
  /** The claim as JSON in UTF-8. Equal claims have equal bytes. */
  readonly json: Buffer
  /** Present only for claims that a language model extracted. These have no keys. */
  readonly fact?: ReadFact
}

/** A fact of a claim. Claims with the same key state the same fact. */
export interface ReadFact {
  readonly key: string
  /** The words of the fact, most specific first. */
  readonly words: readonly string[]
  /** The estimated length of the statement in tokens. */
  readonly tokens: number
}

export interface KeyedFact {
  readonly key: bigint
  readonly words: readonly bigint[]
  readonly tokens: number
}

export interface KeyedClaim {
  readonly no: number
  readonly kind: ClaimKind
  readonly keys: readonly bigint[]
  /** The keys in plain text, as long as they are in memory. */
  readonly plainKeys: readonly string[]
  /** The rank of its value, in the group of each key. */
  readonly valueRanks: readonly bigint[]
  readonly claimRank: bigint
  readonly json: Buffer
  readonly sealed: Buffer
  readonly fact?: KeyedFact
}

/** The maximum number of words by which a fact is indexed. */
const MAX_WORDS = 24

/** Hashing and encrypting this many claims takes a few milliseconds. After that, the event loop gets a turn. */
const CLAIMS_A_TURN = 40

/** Prepares claims. Equal claims at the same position are merged. */
export async function keyClaims(
  seal: ScopeSeal,
  { documentId, version }: Omit<SealedClaimRef, 'no'>,
  claims: readonly ReadClaim[],
): Promise<KeyedClaim[]> {
  const fingerprint = memoizeFingerprints(seal)
  const keyed = new Map<bigint, KeyedClaim>()
  for (const [index, { kind, keys, valueKey, json, fact }] of claims.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- a turn for others now and then
    if (index % CLAIMS_A_TURN === CLAIMS_A_TURN - 1) await nextTurn()
    const claimRank = rankOf(seal.fingerprint(['claim', documentId, json.toString('utf8')]))
    if (keyed.has(claimRank)) continue
    const plainKeys = [...new Set(keys)]
    const groups = plainKeys.map((key) => fingerprint('key', key))
    const value = rankOf(fingerprint('value', valueKey))
    const no = keyed.size
    keyed.set(claimRank, {
      no,
      kind,
      keys: groups.map((group) => rankOf(group)),
      plainKeys,
      // The rank differs in each group, so that equal values of different subjects cannot be recognized.
      valueRanks: groups.map((group) => value ^ group.readBigInt64BE(8)),
      claimRank,
      json,
      sealed: sealClaim(seal, { documentId, version, no }, json),
      ...(fact && { fact: keyFact(fingerprint, fact) }),
    })
  }
  return [...keyed.values()]
}

function keyFact(
  fingerprint: (purpose: string, text: string) => Buffer,
  { key, words, tokens }: ReadFact,
): KeyedFact {
  const distinct = [...new Set(words)].slice(0, MAX_WORDS)
  return {
    key: rankOf(fingerprint('fact', key)),
    words: distinct.map((word) => rankOf(fingerprint('word', word))),
    tokens,
  }
}

/** Returns the group of claims with this key. */
export function groupOf(seal: ScopeSeal, key: string): bigint {
  return rankOf(seal.fingerprint(['key', key]))
}

/** Returns the rank of a claim in this group. Null if today's rules do not put the claim into the group. */
export function valueRankIn(seal: ScopeSeal, group: bigint, claim: LocatedClaim): bigint | null {
  for (const key of keysOf(claim)) {
    const fingerprint = seal.fingerprint(['key', key])
    if (rankOf(fingerprint) === group)
      return rankOf(seal.fingerprint(['value', valueKeyOf(claim)])) ^ fingerprint.readBigInt64BE(8)
  }
  return null
}

/** A document states much about few subjects, and hashing is the most expensive part, so the hashes are memoized. */
function memoizeFingerprints(seal: ScopeSeal): (purpose: string, text: string) => Buffer {
  const known = new Map<string, Buffer>()
  return (purpose, text) => {
    const key = `${purpose} ${text}`
    const fingerprint = known.get(key) ?? seal.fingerprint([purpose, text])
    known.set(key, fingerprint)
    return fingerprint
  }
}
