/**
 * Caches the `KeyObject` of each secret key. A cryptographic function that gets bytes creates a new `KeyObject` on each
 * call, which in Node 24 costs several times as much as encrypting a page.
 */
import { createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const wrapped = new WeakMap<Buffer, KeyObject>()

/** The bytes must not change while they are used as a key. */
export function secretKeyOf(bytes: Buffer): KeyObject {
  const known = wrapped.get(bytes)
  if (known) return known
  const key = createSecretKey(bytes)
  wrapped.set(bytes, key)
  return key
}
