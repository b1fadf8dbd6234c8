/** Declaring a scope settled, and the signed statements that come of it. */
import { operation } from '../operation.ts'
import { replayable, replayedHeader } from './replaying.ts'
import {
  CertificateKeys,
  DeclareSettledBody,
  EvidenceLeaf,
  IssuedCertificate,
} from '../schemas/certificates.ts'
import { pageOf, pageQuery, scopeParams } from '../schemas/identity.ts'

/** A reason and a name at their longest, every character escaped, are 27 KB of JSON. */
const declarationBodyLimit = 32_768

export const declareSettled = operation({
  name: 'declareSettled',
  method: 'POST',
  path: '/api/scopes/{scopeId}/certificate',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Declare a scope settled',
  description:
    'The scope must have no contradiction that is open and no document that is unfinished, held or failed, and ' +
    'policy must allow it. The default policy requires that a model has read everything and that all of it was ' +
    'compared. The response is a certificate: a signed statement over the evidence, the policies, the scores, ' +
    'what was read and compared, the position in the log and the previous certificate. While neither evidence nor ' +
    'policies have changed, the response is the existing certificate (200).',
  params: scopeParams,
  ...replayable,
  body: DeclareSettledBody,
  bodyOptional: true,
  bodyLimit: declarationBodyLimit,
  answers: { 200: IssuedCertificate, 201: IssuedCertificate },
  answerHeaders: { Location: 'Address of the certificate.', ...replayedHeader },
  problems: ['scope_not_found', 'not_settled', 'refused_by_policy', 'idempotency_key_reused'],
})

export const getCertificate = operation({
  name: 'getCertificate',
  method: 'GET',
  path: '/api/scopes/{scopeId}/certificate',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'Read the newest certificate of a scope',
  description:
    '`current` says whether the evidence is still what was certified; the certificate itself cannot.',
  params: scopeParams,
  answers: { 200: IssuedCertificate },
  problems: ['scope_not_found', 'certificate_not_found'],
})

export const listCertificates = operation({
  name: 'listCertificates',
  method: 'GET',
  path: '/api/scopes/{scopeId}/certificates',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'List the certificates of a scope',
  description:
    'The chain of certificates, oldest first. Each names the previous one and the position at which new evidence ' +
    'arrived.',
  params: scopeParams,
  query: pageQuery,
  answers: { 200: pageOf(IssuedCertificate) },
  problems: ['scope_not_found'],
})

export const listCertificateEvidence = operation({
  name: 'listCertificateEvidence',
  method: 'GET',
  path: '/api/scopes/{scopeId}/certificate/evidence',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'List the evidence of the newest certificate',
  description:
    'The leaves of its Merkle tree in their order: documents, claims, contradictions, decisions. After newer ' +
    'evidence has arrived, the certified evidence can no longer be listed.',
  params: scopeParams,
  query: pageQuery,
  answers: { 200: pageOf(EvidenceLeaf) },
  problems: ['scope_not_found', 'certificate_not_found', 'certificate_outdated'],
})

export const listCertificateKeys = operation({
  name: 'listCertificateKeys',
  method: 'GET',
  path: '/api/certificate-keys',
  tier: 'public',
  anonymous: true,
  served: true,
  extension: true,
  summary: 'List the public keys of certificates',
  description:
    'Needs no credential. To check a certificate, use public keys that you obtained separately from it.',
  answers: { 200: CertificateKeys },
  problems: [],
})
