/** Certificates as the contract tells of them. What is signed is in the names of the wire already. */
import type { IssuedCertificate } from '../app/certificates/certificates.ts'

export function toIssuedRecord({ certificate, hash, current, reopenedAt }: IssuedCertificate) {
  return { certificate, hash, current, reopened_at: reopenedAt }
}
