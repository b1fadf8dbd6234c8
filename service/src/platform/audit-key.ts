/**
 * The keys of the audit log, derived from the master keys, which every process has and the database has not. Those who can
 * write to every table cannot make a MAC.
 */
import { hkdfSync } from 'node:crypto'
import type { MasterKeyBytes } from './config.ts'
import { hmacOf } from './hmac.ts'

export interface Auditor {
  /** The master key that new MACs come from. */
  readonly keyId: string
  /** In hexadecimal; undefined when there is no such master key. */
  readonly macOf: (keyId: string, text: string) => string | undefined
}

/** The first master key is used for what is new, all of them for what is there. */
export function createAuditor(masters: readonly MasterKeyBytes[]): Auditor {
  const [active] = masters
  if (!active) throw new TypeError('There is no master key')
  const keys = new Map(masters.map(({ id, bytes }) => [id, deriveKey(bytes)]))
  return {
    keyId: active.id,
    macOf(keyId, text) {
      const key = keys.get(keyId)
      return key && hmacOf(key, text).toString('hex')
    },
  }
}

function deriveKey(master: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', 'concord audit', 32))
}
