/**
 * A key as the cryptographic functions like it. Handing them bytes makes them wrap those anew each time, which on
 * Node 24 costs several times the encryption of a page; so each key is wrapped once.
 */
import { createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const wrapped = new WeakMap<Buffer, KeyObject>()

/** The bytes must stay as they are as long as they are used as a key. */
export function secretKeyOf(bytes: Buffer): KeyObject {
  const known = wrapped.get(bytes)
  if (known) return known
  const key = createSecretKey(bytes)
  wrapped.set(bytes, key)
  return key
}
