/**
 * The keys of the audit log, derived from the master keys. Every process has them and the database does not, so write
 * access to every table is not enough to forge a MAC.
 */
import { hkdfSync } from 'node:crypto'
import type { MasterKeyBytes } from './config.ts'
import { hmacOf } from './hmac.ts'

export interface Auditor {
  /** The master key for new MACs. */
  readonly keyId: string
  /** The MAC in hexadecimal; undefined if there is no such master key. */
  readonly macOf: (keyId: string, text: string) => string | undefined
}

/** The first master key makes new MACs, and all of them verify existing ones. */
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
