/**
 * Ed25519 keys. A signing key is derived from a secret of 32 bytes, so that only the secret has to be kept. A public
 * key is accepted in several common formats. The id of a key is the hash of its public key.
 */
import { createPrivateKey, createPublicKey, hash, hkdfSync, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

export interface SigningKey {
  readonly keyId: string
  /** SubjectPublicKeyInfo as PEM. */
  readonly publicKeyPem: string
  sign(message: Uint8Array): Uint8Array
}

export interface PublicKey {
  readonly keyId: string
  isSigned(message: Uint8Array, signature: Uint8Array): boolean
}

/** The bytes before the 32 bytes in PKCS #8 and in SubjectPublicKeyInfo (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

export function signingKeyOf(seed: Buffer): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const half = createPublicKey(key)
  return {
    keyId: nameOf(half),
    publicKeyPem: half.export({ format: 'pem', type: 'spki' }).toString(),
    sign: (message) => sign(null, message, key),
  }
}

/** Derives a separate secret for each purpose from an existing one. */
export function deriveSeed(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `concord ${purpose} signing`, 32))
}

/** Accepts PEM, or base64 of the 32 bytes or of their SubjectPublicKeyInfo. */
export function readPublicKey(given: string): PublicKey {
  const key = given.includes('-----BEGIN') ? readPem(given) : readBytes(Buffer.from(given.trim(), 'base64'))
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new TypeError('a public key must be Ed25519, as PEM or as base64 of 32 bytes or of its DER form')
  return { keyId: nameOf(key), isSigned: (message, signature) => verify(null, message, key, signature) }
}

/** A private key would work too, but it is refused, so that nobody shares private keys by habit. */
function readPem(pem: string): KeyObject | undefined {
  if (!pem.includes('PUBLIC KEY')) return undefined
  try {
    return createPublicKey(pem)
  } catch {
    return undefined
  }
}

function readBytes(bytes: Buffer): KeyObject | undefined {
  const der = bytes.length === 32 ? Buffer.concat([SPKI, bytes]) : bytes
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

export function sha256(...parts: readonly Uint8Array[]): Buffer {
  return hash('sha256', Buffer.concat(parts), 'buffer')
}

function nameOf(key: KeyObject): string {
  return sha256(key.export({ format: 'der', type: 'spki' })).toString('hex')
}
