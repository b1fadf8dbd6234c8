/**
 * The format of an API key: `ck_{t|a|i}_{key id}_{secret}{checksum}`. Secret scanners recognise the prefix. The
 * checksum lets the service refuse a mistyped or invented key without a query. Only an HMAC of the key is stored.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { hmacOf } from './hmac.ts'

export type KeyTier = 'tenant' | 'admin' | 'internals'

const LETTER_OF: Readonly<Record<KeyTier, string>> = { tenant: 't', admin: 'a', internals: 'i' }
const TIER_OF: Readonly<Record<string, KeyTier>> = { t: 'tenant', a: 'admin', i: 'internals' }

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_ID_LENGTH = 10
/** 43 digits of base 62 hold 256 bits. */
const SECRET_LENGTH = 43
/** Six digits of base 62 hold 32 bits. */
const CHECKSUM_LENGTH = 6

const FORM = /^ck_([tai])_([0-9A-Za-z]{10})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

export interface NewKey {
  readonly keyId: string
  readonly prefix: string
  /** The whole key. It is shown to its holder once and never stored. */
  readonly key: string
}

export interface PresentedKey {
  readonly keyId: string
  readonly tier: KeyTier
  readonly key: string
}

export function createKey(tier: KeyTier): NewKey {
  const keyId = randomDigits(KEY_ID_LENGTH)
  const prefix = keyPrefix(tier, keyId)
  const unchecked = `${prefix}_${randomDigits(SECRET_LENGTH)}`
  return { keyId, prefix, key: unchecked + checksum(unchecked) }
}

export function keyPrefix(tier: KeyTier, keyId: string): string {
  return `ck_${LETTER_OF[tier]}_${keyId}`
}

/** Returns undefined for a text that cannot be a key, also for a wrong checksum. */
export function parseKey(value: string): PresentedKey | undefined {
  const match = FORM.exec(value)
  const tier = TIER_OF[match?.[1] ?? '']
  const keyId = match?.[2]
  if (!tier || !keyId) return undefined
  const unchecked = value.slice(0, -CHECKSUM_LENGTH)
  // @point auth.checksum
  return value.endsWith(checksum(unchecked)) ? { keyId, tier, key: value } : undefined
}

/** A random 256-bit secret needs no slow hash. The pepper makes a stolen table useless. */
export function digestKey(pepper: Buffer, key: string): Buffer {
  return hmacOf(pepper, key)
}

const NO_DIGEST = Buffer.alloc(32)

/** Does the same work for known and unknown keys, so that the duration reveals nothing. */
export function matchesDigest(pepper: Buffer, key: string, stored: Buffer | undefined): boolean {
  const equal = timingSafeEqual(digestKey(pepper, key), stored ?? NO_DIGEST)
  return equal && stored !== undefined
}

/** Returns the pepper of the stored digest. It always tries all peppers, for the same reason. */
export function findPepper(
  peppers: readonly Buffer[],
  key: string,
  stored: Buffer | undefined,
): Buffer | undefined {
  const answers = peppers.map((pepper) => matchesDigest(pepper, key, stored))
  return peppers[answers.indexOf(true)]
}

/** An id of a pepper for the database, which reveals nothing of the pepper. */
export function pepperId(pepper: Buffer): string {
  return hmacOf(pepper, 'concord pepper id').toString('hex').slice(0, 8)
}

function checksum(unchecked: string): string {
  let rest = crc32(unchecked)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

function randomDigits(length: number): string {
  let digits = ''
  while (digits.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: above it, digits would not be equally likely.
      if (byte < 248 && digits.length < length) digits += ALPHABET.charAt(byte % 62)
    }
  }
  return digits
}
