/**
 * Certificates: signed statements that a scope was settled, and what it takes to check one without the service. They hold ids,
 * counts, hashes and scores, never content. A certificate of form 2 also says what was read and compared; those of form 1,
 * which earlier releases signed, do not.
 */
import { z } from 'zod'
import { text } from '../text.ts'
import { ClaimKind, Share } from './claims.ts'
import {
  ContradictionKind,
  ContradictionStatus,
  DecidedBy,
  Holds,
  Relation,
  Severity,
} from './contradictions.ts'
import { Parts } from './convergence.ts'
import { DecisionResult, PolicyPoint } from './decisions.ts'
import { DocumentStatus } from './documents.ts'
import {
  CertificateId,
  ClaimId,
  ContradictionId,
  Count,
  DecisionId,
  DocumentId,
  ScopeId,
  Seq,
  TenantId,
  Timestamp,
} from './identity.ts'

const Sha256 = text({
  min: 64,
  max: 64,
  pattern: /^[0-9a-f]{64}$/,
  description: 'SHA-256, in hexadecimal digits.',
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}).meta({ id: 'Sha256' })

const About = z
  .strictObject({
    certificate_id: CertificateId,
    tenant_id: TenantId,
    scope_id: ScopeId,
    epoch: Count.meta({ description: 'The generation of the scope.' }),
    number: z.int().min(1).meta({ description: 'Its number in the chain of the scope.' }),
    log_position: Seq.meta({ description: 'The position in the log at which the scope was settled.' }),
    decision_id: DecisionId.meta({ description: 'The decision by which it was declared settled.' }),
    issued_at: Timestamp,
  })
  .meta({
    id: 'CertificateAbout',
    description: 'Which scope was declared settled, when, and in which state of its log.',
  })

const Evidence = z
  .strictObject({
    root: Sha256.meta({ description: 'Root of the Merkle tree (RFC 6962) over all leaves.' }),
    documents: Count.meta({ description: 'Leaves that are documents.' }),
    claims: Count.meta({ description: 'Leaves that are claims.' }),
    contradictions: Count.meta({ description: 'Leaves that are contradictions.' }),
    decisions: Count.meta({ description: 'Leaves that are decisions.' }),
  })
  .meta({
    id: 'CertificateEvidence',
    description: 'How much evidence the certificate is about, and the hash over all of it.',
  })

const Policy = z
  .strictObject({
    hash: Sha256.nullable().meta({ description: 'Of the policies in force; null where there are none.' }),
    policies: z.array(z.string()).meta({ description: 'Those that decided.' }),
  })
  .meta({ id: 'CertificatePolicy', description: 'The policies under which the scope was declared settled.' })

const FirstScores = z
  .strictObject({
    state: z.literal('settled').meta({ description: 'The state of the scope; this form has no other.' }),
    score: Share.meta({ description: 'How settled the scope was, from 0 to 1.' }),
    parts: Parts,
  })
  .meta({
    id: 'CertificateScoresForm1',
    description: 'How settled the scope was when it was declared settled.',
  })

const Scores = z
  .strictObject({
    state: z.enum(['settled', 'converging', 'unassessed']).meta({
      description: 'The state of the scope. Other states than `settled` need a policy that permits them.',
    }),
    score: Share.meta({ description: 'How settled the scope was, from 0 to 1.' }),
    parts: Parts,
  })
  .meta({ id: 'CertificateScores', description: 'How settled the scope was when it was declared settled.' })

const ReaderName = text({
  min: 1,
  max: 100,
  description: 'The name of the reader: `rules`, or `model` and which one.',
  example: 'rules',
})
const ReaderVersion = text({ min: 1, max: 100, description: 'Its version.', example: '1' })

const Reading = z
  .strictObject({
    readers: z
      .array(
        z.strictObject({
          reader: ReaderName,
          reader_version: ReaderVersion,
          documents: Count.meta({ description: 'How many documents this reader has read.' }),
        }),
      )
      .meta({ description: 'The readers and how many documents each has read, sorted by name and version.' }),
    coverage: Share.meta({
      description:
        'Characters read over characters, in millionths and rounded down: 1 only if all were read.',
    }),
    characters: Count.meta({ description: 'Characters of all documents.' }),
    characters_read: Count.meta({ description: 'Characters of them that were read.' }),
    documents_with_gaps: Count.meta({
      description: 'Documents that were not read completely, or in which no claim was found.',
    }),
    claims: Count.meta({ description: 'Claims that were found in them.' }),
    claims_compared: Count.meta({
      description: 'Claims that were compared with a claim of another document.',
    }),
    comparisons_incomplete: Count.meta({
      description: 'Groups of claims that were too large to be compared completely.',
    }),
  })
  .meta({ id: 'CertificateReading', description: 'How much was read and compared.' })

const Previous = z
  .strictObject({
    certificate_id: CertificateId,
    hash: Sha256.meta({ description: 'Of the whole certificate before this one.' }),
    reopened_at: Seq.nullable().meta({
      description: 'Position in the log at which new evidence arrived; null if only the policies changed.',
    }),
  })
  .meta({ id: 'CertificatePrevious' })

const signature = text({
  min: 86,
  max: 86,
  pattern: /^[A-Za-z0-9_-]{86}$/,
  description: 'Ed25519 over the canonical form of `format`, `key_id` and `digests`, in base64url.',
})

const parts = {
  key_id: Sha256.meta({ description: 'SHA-256 of the public key (SubjectPublicKeyInfo, DER).' }),
  about: About,
  evidence: Evidence,
  policy: Policy,
  previous: Previous.nullable().meta({ description: 'Null for the first of a scope.' }),
  signature,
}

const digests = { about: Sha256, evidence: Sha256, policy: Sha256, scores: Sha256, previous: Sha256 }
const DIGESTS = 'SHA-256 of each part in canonical form (RFC 8785).'

const FirstCertificate = z
  .strictObject({
    format: z.literal('concord-certificate/1').meta({ description: 'The form of the certificate.' }),
    ...parts,
    scores: FirstScores,
    digests: z.strictObject(digests).meta({ id: 'CertificateDigestsForm1', description: DIGESTS }),
  })
  .meta({ id: 'CertificateForm1', description: 'It says nothing about what was read.' })

const SecondCertificate = z
  .strictObject({
    format: z.literal('concord-certificate/2').meta({ description: 'The form of the certificate.' }),
    ...parts,
    scores: Scores,
    reading: Reading,
    digests: z
      .strictObject({ ...digests, reading: Sha256 })
      .meta({ id: 'CertificateDigests', description: DIGESTS }),
  })
  .meta({ id: 'CertificateForm2' })

/** Each part has its digest, and the digests are signed: so a part that was changed can be named. */
export const Certificate = z
  .discriminatedUnion('format', [SecondCertificate, FirstCertificate])
  .meta({ id: 'Certificate' })

const LeafReading = z
  .strictObject({
    reader: ReaderName,
    reader_version: ReaderVersion,
    read: z.enum(['whole', 'part', 'none']).meta({ description: 'How much of the text was read.' }),
    characters: Count.meta({ description: 'Characters of the text.' }),
    characters_read: Count.meta({ description: 'Characters that were read.' }),
    claims: Count.meta({ description: 'Claims that were found.' }),
  })
  .meta({ id: 'DocumentLeafReading' })

const DocumentLeaf = z
  .strictObject({
    type: z.literal('document').meta({ description: 'Says that the leaf is about a document.' }),
    document_id: DocumentId,
    version: Count.meta({ description: 'The version of the document that was certified.' }),
    status: DocumentStatus,
    reading: LeafReading.nullable().exactOptional().meta({
      description: 'Null where it was not read. Leaves of a certificate of form 1 do not have it.',
    }),
  })
  .meta({ id: 'DocumentLeaf' })

const ClaimLeaf = z
  .strictObject({
    type: z.literal('claim').meta({ description: 'Says that the leaf is about a claim.' }),
    claim_id: ClaimId,
    document_id: DocumentId,
    version: Count.meta({ description: 'The version of the document that makes the claim.' }),
    kind: ClaimKind,
    start: Count.meta({
      description: 'Offset of the first character of the quote in the text, in code points.',
    }),
    end: Count.meta({ description: 'Offset after the last character of the quote, in code points.' }),
    quote_sha256: Sha256.meta({ description: 'Of the quote in UTF-8: the text from `start` to `end`.' }),
    content_sha256: Sha256.meta({ description: 'Of the whole claim as it is kept.' }),
  })
  .meta({ id: 'ClaimLeaf' })

const ContradictionLeaf = z
  .strictObject({
    type: z.literal('contradiction').meta({ description: 'Says that the leaf is about a contradiction.' }),
    contradiction_id: ContradictionId,
    relation: Relation,
    kind: ContradictionKind,
    severity: Severity,
    status: ContradictionStatus,
    document_ids: z
      .array(DocumentId)
      .max(2)
      .meta({ description: 'The documents of both sides, where they are known.' }),
    content_sha256: Sha256.meta({ description: 'Of what it says, as it is kept.' }),
  })
  .meta({ id: 'ContradictionLeaf' })

const DecisionLeaf = z
  .strictObject({
    type: z.literal('decision').meta({ description: 'Says that the leaf is about a decision.' }),
    decision_id: DecisionId,
    point: PolicyPoint,
    result: DecisionResult,
    decided_by: DecidedBy,
    contradiction_id: ContradictionId.nullable().meta({
      description: 'The contradiction that was decided; null where the decision is not about one.',
    }),
    document_ids: z.array(DocumentId).meta({ description: 'The documents that the decision is about.' }),
    holds: Holds.nullable().meta({
      description: 'Which side holds; null unless a contradiction was resolved.',
    }),
    policy_hash: Sha256.nullable().meta({
      description: 'Hash of the policies that were asked; null where none were.',
    }),
    policies: z.array(z.string()).meta({ description: 'Ids of the policies that decided.' }),
    seq: Seq,
  })
  .meta({ id: 'DecisionLeaf' })

/** A piece of evidence as it is hashed. */
const Leaf = z.discriminatedUnion('type', [DocumentLeaf, ClaimLeaf, ContradictionLeaf, DecisionLeaf])

/** With its own hash, so that one which was changed can be named. */
export const EvidenceLeaf = z
  .strictObject({
    hash: Sha256.meta({ description: 'SHA-256 of a zero byte and the leaf in canonical form.' }),
    leaf: Leaf.meta({
      description: 'The evidence itself: a document, claim, contradiction or decision, without its content.',
    }),
  })
  .meta({ id: 'EvidenceLeaf' })

/** A certificate as the service tells of it. Whether it is current no file can say. */
export const IssuedCertificate = z
  .strictObject({
    certificate: Certificate.meta({ description: 'The certificate as it was signed.' }),
    hash: Sha256.meta({ description: 'Of the certificate in canonical form: what the next one refers to.' }),
    current: z.boolean().meta({ description: 'The evidence is still what was certified.' }),
    reopened_at: Seq.nullable().meta({
      description: 'Position in the log at which new evidence arrived; null if none did.',
    }),
  })
  .meta({ id: 'IssuedCertificate' })

export const DeclareSettledBody = z
  .strictObject({
    by: text({ min: 1, max: 200, description: 'Who declares it.', example: 'A. Auditor' }).optional(),
    reason: text({ min: 1, max: 2000, description: 'Why.' }).optional(),
  })
  .meta({ id: 'DeclareSettledBody' })

const CertificateKey = z
  .strictObject({
    key_id: Sha256,
    signs: z.boolean().meta({ description: 'New certificates are signed with it.' }),
    public_key: z.string().meta({ description: 'SubjectPublicKeyInfo as PEM.' }),
  })
  .meta({ id: 'CertificateKey' })

export const CertificateKeys = z
  .strictObject({
    keys: z
      .array(CertificateKey)
      .meta({ description: 'All keys that certificates of this service are or were signed with.' }),
  })
  .meta({ id: 'CertificateKeys' })

/** A file that holds all that checking takes, but for the public key: that must come another way. */
export const CertificateBundle = z.strictObject({
  format: z.literal('concord-certificate-bundle/1'),
  certificates: z.array(Certificate).min(1),
  /** Evidence of the last certificate, in the order of the tree; null once there is newer evidence. */
  evidence: z.array(EvidenceLeaf).nullable(),
  /** The policy whose hash is signed; null once there are others. */
  policy: z
    .strictObject({ schema: z.string(), default: z.string(), tenant: z.string(), scope: z.string() })
    .nullable(),
})

export type CertificateRecord = z.output<typeof Certificate>
export type SecondCertificateRecord = z.output<typeof SecondCertificate>
export type EvidenceLeafRecord = z.output<typeof EvidenceLeaf>
export type LeafRecord = z.output<typeof Leaf>
export type CertificateBundleRecord = z.output<typeof CertificateBundle>
