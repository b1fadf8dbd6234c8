/**
 * Keyed hashes of content. Without the key they reveal only whether two contents of one tenant are equal. Each tenant has
 * its own key, derived from one secret, so equal contents of two tenants have different hashes.
 */
import { hash, hkdfSync } from 'node:crypto'
import { BoundedMap } from './bounded-map.ts'
import { hmacOf } from './hmac.ts'

/** The fingerprint function of one tenant. Null differs from the empty string, and no two different lists hash alike. */
export type Fingerprint = (parts: readonly (string | null)[]) => Buffer

export type Fingerprints = (tenantId: string) => Fingerprint

/** 128 bits, so that different contents of one tenant do not collide. */
const LENGTH = 16
const MEMORY_SIZE = 10_000

/** Deriving a key costs as much as hashing a page of text, so the keys of recent tenants are cached. */
export function createFingerprints(secret: Buffer): Fingerprints {
  const keys = new BoundedMap<string, Buffer>(MEMORY_SIZE)
  return (tenantId) => {
    const known = keys.get(tenantId)
    const key = known ?? deriveKey(secret, tenantId)
    if (!known) keys.set(tenantId, key)
    return (parts) => hashParts(key, parts)
  }
}

/**
 * Creates a fingerprint function with its own key, for hashes that must become useless when the key is destroyed. It hashes
 * key and text instead of computing an HMAC, which costs twice as much, because a page of text needs a hundred hashes.
 * An HMAC prevents length extension; here half of the digest is dropped, so the hash cannot be extended.
 */
export function createFingerprint(fingerprintKey: Buffer): Fingerprint {
  const key = fingerprintKey.toString('hex')
  return (parts) =>
    Buffer.from(hash('sha256', `${key}${encodeParts(parts)}`, 'hex').slice(0, 2 * LENGTH), 'hex')
}

/** Derives the key for `createFingerprint` from a secret, for one tenant and one purpose. */
export function deriveFingerprintKey(secret: Buffer, tenantId: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, tenantId, `concord ${purpose}`, 32))
}

/**
 * Returns the first 64 bits of a fingerprint as a number that Postgres can sort. They identify one of a million things.
 */
export function rankOf(fingerprint: Buffer): bigint {
  return fingerprint.readBigInt64BE(0)
}

function deriveKey(secret: Buffer, tenantId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, tenantId, 'concord fingerprint', 32))
}

function hashParts(key: Buffer, parts: readonly (string | null)[]): Buffer {
  return hmacOf(key, encodeParts(parts)).subarray(0, LENGTH)
}

/** Encodes each part with its length. */
function encodeParts(parts: readonly (string | null)[]): string {
  return parts.map((part) => (part === null ? '-|' : `${Buffer.byteLength(part)}:${part}`)).join('')
}
