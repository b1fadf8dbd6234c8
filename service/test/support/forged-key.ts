/**
 * Keys made by hand from the written form, not by the code under test: `ck_{t|a|i}_{key id}_{secret}{checksum}`,
 * the checksum being the CRC-32 of all before it in six digits of base 62.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function checksumOf(unchecked: string): string {
  let rest = BigInt(crc32(unchecked))
  const digits: string[] = []
  while (digits.length < 6) {
    digits.unshift(DIGITS.charAt(Number(rest % 62n)))
    rest /= 62n
  }
  return digits.join('')
}

/** A key that only the database can tell from a real one. */
export function forgeKey(prefix: string): string {
  const secret = Array.from(randomBytes(43), (byte) => DIGITS.charAt(byte % 62)).join('')
  return `${prefix}_${secret}${checksumOf(`${prefix}_${secret}`)}`
}

/** The same key with the last digit of its secret changed and the checksum made right again. */
export function withAnotherSecret(key: string): string {
  const body = key.slice(0, -7)
  const digit = key.at(-7) === 'A' ? 'B' : 'A'
  return `${body}${digit}${checksumOf(`${body}${digit}`)}`
}
