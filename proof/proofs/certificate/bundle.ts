/**
 * A file of certificates as this proof sees it, and how its parts are hashed. Written anew from the documentation, so that the
 * service is not judged by its own code.
 */
import { createHash } from 'node:crypto'

export type BundleJson = null | boolean | number | string | BundleJson[] | { [name: string]: BundleJson }

export interface BundledCertificate {
  [name: string]: BundleJson
  key_id: string
  about: { [name: string]: BundleJson; number: number; log_position: number; certificate_id: string }
  evidence: { [name: string]: BundleJson; root: string; claims: number }
  policy: { hash: string | null; policies: string[] }
  scores: { state: string; score: number; parts: { [name: string]: number } }
  reading: {
    [name: string]: BundleJson
    readers: { reader: string; reader_version: string; documents: number }[]
    coverage: number
    characters: number
    characters_read: number
    claims_compared: number
  }
  previous: { certificate_id: string; hash: string; reopened_at: number | null } | null
  digests: { [part: string]: string }
  signature: string
}

export interface Bundle {
  format: string
  certificates: BundledCertificate[]
  evidence: { hash: string; leaf: { [name: string]: BundleJson; type: string } }[] | null
  policy: { [origin: string]: string } | null
}

function canonical(value: BundleJson): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const names = Object.keys(value).toSorted((a, b) => (a < b ? -1 : 1))
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(',')}}`
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function leafHash(leaf: BundleJson): string {
  return sha256(`\0${canonical(leaf)}`)
}

const PARTS = ['about', 'evidence', 'policy', 'scores', 'previous', 'reading'] as const

/** Computes the digests anew, as somebody would who changes a part and does not want it to be seen. */
export function redigest(certificate: BundledCertificate): void {
  for (const part of PARTS) certificate.digests[part] = sha256(canonical(certificate[part]))
}

export function signedMessage({ format, key_id, digests }: BundledCertificate): Buffer {
  return Buffer.from(canonical({ format: format ?? null, key_id, digests }))
}
