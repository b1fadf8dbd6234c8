/**
 * Claims on their way into the database: sealed, and with keyed hashes for what they are looked up and sorted by. All of it
 * is done before anybody waits for the scope.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LocatedClaim, ClaimKind } from '../../domain/claim.ts'
import { rankOf } from '../../platform/fingerprint.ts'
import { keysOf, valueKeyOf } from '../../rules/comparing.ts'
import { sealClaim } from './claim-seals.ts'
import type { SealedClaimPlace } from './claim-seals.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'

/** A claim in the form in which the process that read the document hands it over. */
export interface ReadClaim {
  readonly kind: ClaimKind
  /** The subjects, most relevant first: claims that share a key may disagree. */
  readonly keys: readonly string[]
  /** Claims that share it say the same. */
  readonly valueKey: string
  /** The claim as JSON in UTF-8; equal claims are equal bytes. */
  readonly json: Buffer
  /** Only of claims that a language model extracted. These have no keys. */
  readonly fact?: ReadFact
}

/** A fact of a claim. Claims with the same key state the same fact. */
export interface ReadFact {
  readonly key: string
  /** Most specific first. */
  readonly words: readonly string[]
  /** Estimated length of the statement. */
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
  /** The same in plain words, as long as they are at hand. */
  readonly plainKeys: readonly string[]
  /** The rank of its value, in the group of each key. */
  readonly valueRanks: readonly bigint[]
  readonly claimRank: bigint
  readonly json: Buffer
  readonly sealed: Buffer
  readonly fact?: KeyedFact
}

/** The largest number of words by which a fact may be found. */
const MAX_WORDS = 24

/** Hashing and sealing this many claims takes a few milliseconds; then it is somebody else's turn. */
const CLAIMS_A_TURN = 40

/** The same claim twice, in the same place, is one. */
export async function keyClaims(
  seal: ScopeSeal,
  { documentId, version }: Omit<SealedClaimPlace, 'no'>,
  claims: readonly ReadClaim[],
): Promise<KeyedClaim[]> {
  const print = rememberPrints(seal)
  const keyed = new Map<bigint, KeyedClaim>()
  for (const [index, { kind, keys, valueKey, json, fact }] of claims.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- a turn for others now and then
    if (index % CLAIMS_A_TURN === CLAIMS_A_TURN - 1) await nextTurn()
    const claimRank = rankOf(seal.print(['claim', documentId, json.toString('utf8')]))
    if (keyed.has(claimRank)) continue
    const plainKeys = [...new Set(keys)]
    const groups = plainKeys.map((key) => print('key', key))
    const value = rankOf(print('value', valueKey))
    const no = keyed.size
    keyed.set(claimRank, {
      no,
      kind,
      keys: groups.map((group) => rankOf(group)),
      plainKeys,
      // Another in each group, so that equal values of different things do not look alike.
      valueRanks: groups.map((group) => value ^ group.readBigInt64BE(8)),
      claimRank,
      json,
      sealed: sealClaim(seal, { documentId, version, no }, json),
      ...(fact && { fact: keyFact(print, fact) }),
    })
  }
  return [...keyed.values()]
}

function keyFact(
  print: (purpose: string, text: string) => Buffer,
  { key, words, tokens }: ReadFact,
): KeyedFact {
  const distinct = [...new Set(words)].slice(0, MAX_WORDS)
  return {
    key: rankOf(print('fact', key)),
    words: distinct.map((word) => rankOf(print('word', word))),
    tokens,
  }
}

/** The group that claims with this key are in. */
export function groupOf(seal: ScopeSeal, key: string): bigint {
  return rankOf(seal.print(['key', key]))
}

/** The rank of a claim in this group; null where the claim is not filed there, by the rules of today. */
export function valueRankIn(seal: ScopeSeal, group: bigint, claim: LocatedClaim): bigint | null {
  for (const key of keysOf(claim)) {
    const print = seal.print(['key', key])
    if (rankOf(print) === group)
      return rankOf(seal.print(['value', valueKeyOf(claim)])) ^ print.readBigInt64BE(8)
  }
  return null
}

/** A document says much about few things, and a hash costs more than all the rest. */
function rememberPrints(seal: ScopeSeal): (purpose: string, text: string) => Buffer {
  const known = new Map<string, Buffer>()
  return (purpose, text) => {
    const place = `${purpose} ${text}`
    const print = known.get(place) ?? seal.print([purpose, text])
    known.set(place, print)
    return print
  }
}
