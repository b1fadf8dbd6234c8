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
    'Possible once nothing is open, unfinished, held or failed and policy allows it. By default policy asks that a model has read ' +
    'everything and that all of it was compared. The answer is a certificate: a signed statement over the evidence, the policies, ' +
    'the scores, what was read and compared, the position in the log and the certificate before it. While neither evidence nor ' +
    'policies have changed, the certificate that is there is answered (200).',
  params: scopeParams,
  ...replayable,
  body: DeclareSettledBody,
  bodyOptional: true,
  bodyLimit: declarationBodyLimit,
  answers: { 200: IssuedCertificate, 201: IssuedCertificate },
  answerHeaders: { Location: 'Where the certificate can be read.', ...replayedHeader },
  problems: ['scope_not_found', 'not_settled', 'refused_by_policy', 'idempotency_key_reused'],
})

export const getCertificate = operation({
  name: 'getCertificate',
  method: 'GET',
  path: '/api/scopes/{scopeId}/certificate',
  tier: 'public',
  served: true,
  extension: true,
  summary: 'The newest certificate of a scope',
  description: 'With what no file can say: whether the evidence is still what was certified.',
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
    'The chain, oldest first: each names the one before it and where new evidence came in between.',
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
  summary: 'List what the newest certificate is about',
  description:
    'The leaves of its tree in their order: documents, claims, contradictions, decisions. Once there is newer evidence, what ' +
    'was certified is not there to be listed any more.',
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
  summary: 'The public keys that certificates are checked with',
  description:
    'For everyone. Whoever checks a certificate should have them from somewhere else than the certificate itself.',
  answers: { 200: CertificateKeys },
  problems: [],
})
