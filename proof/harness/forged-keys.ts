/**
 * Keys that nobody issued: well-formed down to the checksum, so that only the registry can tell. The checksum is written
 * anew from its description, not taken from the service.
 */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

export type TierLetter = 't' | 'a' | 'i'

/** An id that was never given out (one of 62 to the tenth). */
export function unknownKey(tier: TierLetter): string {
  return withChecksum(`ck_${tier}_${digits(10)}_${digits(SECRET_LENGTH)}`)
}

/** The id of a real key with a secret that is not its own. */
export function withWrongSecret(key: string): string {
  return withChecksum(`${prefixOf(key)}_${digits(SECRET_LENGTH)}`)
}

/** A real key whose last character is another: what a slip of the pen makes of it. */
export function withBadChecksum(key: string): string {
  const last = key.at(-1)
  return key.slice(0, -1) + (last === '0' ? '1' : '0')
}

/** A real key that claims another tier; the checksum is right again. */
export function relabelled(key: string, tier: TierLetter): string {
  return withChecksum(`ck_${tier}_${key.slice('ck_t_'.length, -CHECKSUM_LENGTH)}`)
}

/** A forgery proves something only if nothing but its secret is wrong, so the checksum must be the service's own. */
export function requireSameChecksum(realKey: string): void {
  if (withChecksum(realKey.slice(0, -CHECKSUM_LENGTH)) === realKey) return
  throw new Error('Keys are checked by another checksum now; write it down in forged-keys.ts.')
}

/** The id within a key or a key prefix. */
export function keyIdOf(key: string): string {
  return key.split('_')[2] ?? ''
}

/** All before the secret; meant to be shown. */
export function prefixOf(key: string): string {
  return key.slice(0, key.lastIndexOf('_'))
}

/** All that is secret of a key: its last part, without the checksum. */
export function secretOf(key: string): string {
  return key.slice(key.lastIndexOf('_') + 1, -CHECKSUM_LENGTH)
}

function withChecksum(unchecked: string): string {
  let rest = crc32(unchecked)
  let checksum = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    checksum = ALPHABET.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return unchecked + checksum
}

function digits(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(62))).join('')
}
