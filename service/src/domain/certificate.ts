/**
 * A certificate: a signed statement that a scope was settled. Its parts name the evidence, the policies, the scores, the
 * reading and the previous certificate. Each part has a digest, and the digests are signed, so that a verifier can name
 * the part that was changed. The service signs form 2. Certificates of form 1, which have no part `reading`, stay valid.
 *
 * The fields have the names of the wire, because the JSON document itself is signed.
 */
import type {
  CertificateBundleRecord,
  CertificateRecord,
  LeafRecord,
  SecondCertificateRecord,
} from '@concord/contract'
import { canonicalForm } from './certificate/canonical.ts'
import type { CanonicalJson } from './certificate/canonical.ts'
import { leafHashOf } from './certificate/merkle.ts'
import type { Hash } from './certificate/merkle.ts'

export type Certificate = CertificateRecord
export type Leaf = LeafRecord
export type CertificateReading = SecondCertificateRecord['reading']

const FORMAT = 'concord-certificate/2'
/** The parts that both forms have. */
const PARTS = ['about', 'evidence', 'policy', 'scores', 'previous'] as const

/** The certified parts before they are signed. */
export type Statement = Pick<SecondCertificateRecord, CertificatePart>
export type CertificatePart = (typeof PARTS)[number] | 'reading'

export interface Signer {
  /** SHA-256 of the public key. */
  readonly keyId: string
  sign(message: Uint8Array): Uint8Array
}

export function certify(hash: Hash, signer: Signer, statement: Statement): SecondCertificateRecord {
  const digests = { ...digestsOf(hash, statement), reading: digestOf(hash, statement.reading) }
  const signed = { format: FORMAT, key_id: signer.keyId, digests } as const
  const signature = Buffer.from(signer.sign(messageOf(signed))).toString('base64url')
  return { ...statement, ...signed, signature }
}

/** Returns the parts whose digest is not the one in the certificate. */
export function findChangedParts(hash: Hash, certificate: Certificate): CertificatePart[] {
  const digests = digestsOf(hash, certificate)
  const changed: CertificatePart[] = PARTS.filter((part) => digests[part] !== certificate.digests[part])
  if (certificate.format !== FORMAT) return changed
  // @point certificate.digest.reading
  const isRead = digestOf(hash, certificate.reading) === certificate.digests.reading
  return isRead ? changed : [...changed, 'reading']
}

/** Computes the digests of the parts that both forms have. */
export function digestsOf(
  hash: Hash,
  statement: Pick<Certificate, (typeof PARTS)[number]>,
): Record<(typeof PARTS)[number], string> {
  return {
    about: digestOf(hash, statement.about),
    evidence: digestOf(hash, statement.evidence),
    policy: digestOf(hash, statement.policy),
    // @point certificate.digest.scores
    scores: digestOf(hash, statement.scores),
    previous: digestOf(hash, statement.previous),
  }
}

/** The bytes that are signed. */
export function messageOf({
  format,
  key_id,
  digests,
}: Pick<Certificate, 'format' | 'key_id' | 'digests'>): Uint8Array {
  return Buffer.from(canonicalForm({ format, key_id, digests }))
}

/** Hashes the whole certificate including its signature. The next certificate refers to this hash. */
export function certificateHashOf(hash: Hash, certificate: Certificate): string {
  return digestOf(hash, certificate)
}

function digestOf(hash: Hash, value: CanonicalJson): string {
  return toHex(hash(Buffer.from(canonicalForm(value))))
}

export function hashLeaf(hash: Hash, leaf: Leaf): Uint8Array {
  return leafHashOf(hash, Buffer.from(canonicalForm(leaf)))
}

/** The length of each text is hashed too, so that moving text from one to the next changes the hash. */
export function policyHashOf(hash: Hash, texts: NonNullable<CertificateBundleRecord['policy']>): string {
  const parts = [texts.schema, texts.default, texts.tenant, texts.scope]
  return toHex(hash(...parts.map((text) => Buffer.from(`${Buffer.byteLength(text)}\n${text}`))))
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
