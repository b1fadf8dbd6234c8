/** Keys that look right and are not. The checksum is written anew from its description, not taken from the service. */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

export type TierLetter = 't' | 'a' | 'i'

/** The last character is another one, so the checksum cannot fit. */
export function withBadChecksum(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
}

/** A key that was never issued, of an id that was never given out; form and checksum are right. */
export function neverIssued(tier: TierLetter): string {
  return sealed(`ck_${tier}_${unknownKeyId()}_${randomDigits(SECRET_LENGTH)}`)
}

/** The id of a real key with another secret; form and checksum are right. */
export function withWrongSecret(key: string): string {
  return sealed(`${key.slice(0, key.lastIndexOf('_'))}_${randomDigits(SECRET_LENGTH)}`)
}

/** A real key that claims another tier; the checksum is right again. */
export function relabelled(key: string, tier: TierLetter): string {
  return sealed(`ck_${tier}_${key.slice('ck_t_'.length, -CHECKSUM_LENGTH)}`)
}

/** A forgery proves something only if nothing but its secret is wrong, so the checksum must be the service's own. */
export function requireSameChecksum(realKey: string): void {
  if (sealed(realKey.slice(0, -CHECKSUM_LENGTH)) === realKey) return
  throw new Error('Keys are checked by another checksum now; write it down in forged-keys.ts.')
}

export function unknownKeyId(): string {
  return randomDigits(10)
}

/** The id within a key or a key prefix. */
export function keyIdOf(key: string): string {
  return key.split('_')[2] ?? ''
}

function sealed(unchecked: string): string {
  let rest = crc32(unchecked)
  let checksum = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    checksum = ALPHABET.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return unchecked + checksum
}

function randomDigits(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(62))).join('')
}
