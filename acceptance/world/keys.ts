/** Keys that were never issued, made to look as if they had been. */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export type KeyLetter = 't' | 'a' | 'i'

/** Right in form and checksum, so that only a look at what is stored can tell. */
export function inventKey(letter: KeyLetter): string {
  return addChecksum(`ck_${letter}_${randomDigits(10)}_${randomDigits(43)}`)
}

/** The id of an existing key with a secret that is not its own. */
export function withOtherSecret(key: string): string {
  return addChecksum(`${key.split('_').slice(0, 3).join('_')}_${randomDigits(43)}`)
}

/** Changes a key as if one character had been mistyped. */
export function mistyped(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
}

/** Calls the key one of another tier; the checksum is right again. */
export function withOtherTier(key: string, letter: KeyLetter): string {
  return addChecksum(`ck_${letter}_${key.slice(5, -6)}`)
}

/** The part of a key that names it. */
export function keyIdOf(key: string): string {
  return key.split('_')[2] ?? ''
}

function addChecksum(unchecked: string): string {
  let rest = crc32(unchecked)
  let digits = ''
  for (let place = 0; place < 6; place += 1) {
    digits = DIGITS.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return unchecked + digits
}

function randomDigits(length: number): string {
  return Array.from(randomBytes(length), (byte) => DIGITS.charAt(byte % 62)).join('')
}
