/**
 * Keyed hashes of content: they tell equal from different inside one tenant and nothing else, to anyone without the
 * key. Each tenant has its own, derived from one secret, so equal content of two tenants has different hashes.
 */
import { hash, hkdfSync } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import { hmacOf } from './hmac.ts'

/** The fingerprint function of one tenant. Null differs from the empty string, and no two different lists hash alike. */
export type Fingerprint = (parts: readonly (string | null)[]) => Buffer

export type Fingerprints = (tenantId: string) => Fingerprint

/** 128 bits: two different contents of one tenant will not meet. */
const LENGTH = 16
const MEMORY_SIZE = 10_000

/** Deriving a key costs as much as hashing a page of text, so the keys of recent tenants are remembered. */
export function createFingerprints(secret: Buffer): Fingerprints {
  const keys = new BoundedMap<string, Buffer>(MEMORY_SIZE)
  return (tenantId) => {
    const known = keys.get(tenantId)
    const key = known ?? deriveKey(secret, tenantId)
    if (!known) keys.set(tenantId, key)
    return (parts) => fingerprint(key, parts)
  }
}

/**
 * With a key of its own, for hashes that are to live and die with what the secret protects. A page of text needs a hundred of
 * them, and an HMAC costs twice as much as one hash of key and text. Half of the digest is all that anybody sees, so
 * nobody can go on hashing from it, which is what an HMAC would keep them from.
 */
export function createFingerprint(printKey: Buffer): Fingerprint {
  const key = printKey.toString('hex')
  return (parts) => Buffer.from(hash('sha256', `${key}${inOne(parts)}`, 'hex').slice(0, 2 * LENGTH), 'hex')
}

/** The key that `createFingerprint` takes, of one tenant and for one purpose. */
export function derivePrintKey(secret: Buffer, tenantId: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, tenantId, `concord ${purpose}`, 32))
}

/** The rank of a fingerprint, as Postgres sorts it: 64 bits, enough to tell a million things apart and to put them in an order. */
export function rankOf(print: Buffer): bigint {
  return print.readBigInt64BE(0)
}

function deriveKey(secret: Buffer, tenantId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, tenantId, 'concord fingerprint', 32))
}

function fingerprint(key: Buffer, parts: readonly (string | null)[]): Buffer {
  return hmacOf(key, inOne(parts)).subarray(0, LENGTH)
}

/** Each part carries its length. */
function inOne(parts: readonly (string | null)[]): string {
  return parts.map((part) => (part === null ? '-|' : `${Buffer.byteLength(part)}:${part}`)).join('')
}
