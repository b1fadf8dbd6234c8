/**
 * Verifies a file of certificates with public keys alone: it needs no service, no database and no clock. It lists every
 * difference. A valid file has none.
 */
import type { CertificateBundleRecord, EvidenceLeafRecord } from '@concord/contract'
import {
  certificateHashOf,
  findChangedParts,
  hashLeaf,
  messageOf,
  policyHashOf,
  toHex,
} from '../certificate.ts'
import type { Certificate } from '../certificate.ts'
import { canonicalForm } from './canonical.ts'
import { createMerkleTree } from './merkle.ts'
import type { Hash } from './merkle.ts'
import { createReadingTally } from './reading.ts'
import type { CertifiedTotals } from './reading.ts'

export type VerifiedBundle = CertificateBundleRecord

export type DifferingPart =
  | 'form'
  | 'key'
  | 'signature'
  | 'about'
  | 'evidence'
  | 'policy'
  | 'scores'
  | 'reading'
  | 'chain'

export interface Difference {
  readonly part: DifferingPart
  /** The number of the certificate in its chain; null if the difference is about no particular certificate. */
  readonly certificate: number | null
  /** The difference in a sentence, with its position. */
  readonly message: string
}

export interface VerificationDeps {
  readonly hash: Hash
  /** Returns undefined if the key is not one of the trusted keys. */
  readonly isSignedBy: (keyId: string, message: Uint8Array, signature: Uint8Array) => boolean | undefined
  /** Accepts a file without evidence or policies. */
  readonly partial?: boolean
}

export function findDifferences(tools: VerificationDeps, bundle: VerifiedBundle): Difference[] {
  const { certificates } = bundle
  return [
    ...certificates.flatMap((each) => checkStatement(tools, each)),
    ...certificates.flatMap((each, index) => checkLink(tools, certificates[index - 1], each)),
    ...checkGrounds(tools, certificates.at(-1), bundle),
  ]
}

/** Returns which of the evidence and policies of the last certificate are not in the file. */
export function missingIn({ certificates, evidence, policy }: VerifiedBundle): ('evidence' | 'policy')[] {
  const isGoverned = certificates.at(-1)?.policy.hash !== null
  return [...(evidence ? [] : ['evidence' as const]), ...(policy || !isGoverned ? [] : ['policy' as const])]
}

function checkGrounds(
  tools: VerificationDeps,
  certificate: Certificate | undefined,
  bundle: VerifiedBundle,
): Difference[] {
  if (!certificate) return [differ('form', null, 'there is no certificate in it')]
  const { number } = certificate.about
  const missing = missingIn(bundle).map((part) =>
    differ(part, number, `the ${part} is not in the file; export it while the certificate is current`),
  )
  return [
    ...(tools.partial ? [] : missing),
    ...(bundle.evidence ? checkEvidence(tools, certificate, bundle.evidence) : []),
    ...(bundle.policy ? checkPolicy(tools, certificate, bundle.policy) : []),
  ]
}

function checkPolicy(
  { hash }: VerificationDeps,
  { about, policy }: Certificate,
  texts: NonNullable<VerifiedBundle['policy']>,
): Difference[] {
  // @point certificate.verify.policy
  if (policyHashOf(hash, texts) === policy.hash) return []
  return [differ('policy', about.number, 'the policies in the file are not those that are certified')]
}

/** Checks the parts against their digests, and the digests against the signature. */
function checkStatement({ hash, isSignedBy }: VerificationDeps, certificate: Certificate): Difference[] {
  const { number } = certificate.about
  const changed = findChangedParts(hash, certificate).map((part) =>
    differ(part === 'previous' ? 'chain' : part, number, `\`${part}\` is not what was signed`),
  )
  const signature = Buffer.from(certificate.signature, 'base64url')
  const signed = isSignedBy(certificate.key_id, messageOf(certificate), signature)
  if (signed === undefined)
    return [...changed, differ('key', number, `it is signed with key ${certificate.key_id}; give that key`)]
  // The last letter of base64url has spare bits, so one signature could be written in several ways.
  // @point certificate.verify.signature
  if (signed && signature.toString('base64url') === certificate.signature) return changed
  return [...changed, differ('signature', number, 'the signature is not one over these digests by this key')]
}

/** Checks a certificate against the one before it. */
function checkLink(
  { hash }: VerificationDeps,
  before: Certificate | undefined,
  { about, previous }: Certificate,
): Difference[] {
  const wrong = (message: string) => [differ('chain', about.number, message)]
  if (!before || !previous) {
    if (before) return wrong('it names no certificate before it, and there is one')
    if (previous || about.number !== 1) return wrong('the certificates before it are missing')
    return []
  }
  // @point certificate.verify.previous
  if (previous.hash !== certificateHashOf(hash, before))
    return wrong(`it follows another certificate than number ${before.about.number} of this file`)
  return contradictionsBetween(before.about, previous, about).flatMap(wrong)
}

/**
 * Finds contradictions between two certificates that the service never signs: the chain is forged, or signed by
 * mistake.
 */
function contradictionsBetween(
  before: Certificate['about'],
  previous: NonNullable<Certificate['previous']>,
  about: Certificate['about'],
): string[] {
  const reopened = previous.reopened_at
  const rules: readonly (readonly [boolean, string])[] = [
    [previous.certificate_id === before.certificate_id, 'it names another certificate than it follows'],
    [about.number === before.number + 1, 'its number is not the next one'],
    [
      about.tenant_id === before.tenant_id &&
        about.scope_id === before.scope_id &&
        about.epoch === before.epoch,
      'it is of another scope than the certificate before it',
    ],
    [about.log_position >= before.log_position, 'its log position lies before that of the one it follows'],
    [
      reopened === null || (reopened > before.log_position && reopened <= about.log_position),
      'new evidence came at a log position that is not between the two',
    ],
  ]
  return rules.filter(([kept]) => !kept).map(([, broken]) => broken)
}

/** Checks the leaves against their hashes, and their number and their tree against the certificate. */
function checkEvidence(
  { hash }: VerificationDeps,
  certificate: Certificate,
  leaves: NonNullable<VerifiedBundle['evidence']>,
): Difference[] {
  const { evidence, about } = certificate
  const wrong = (message: string) => differ('evidence', about.number, message)
  const tree = createMerkleTree(hash)
  const changed: Difference[] = []
  for (const [index, { hash: stated, leaf }] of leaves.entries()) {
    const leafHash = hashLeaf(hash, leaf)
    tree.add(leafHash)
    if (toHex(leafHash) !== stated) changed.push(wrong(`leaf ${index} was changed: ${describeLeaf(leaf)}`))
  }
  const counts = countLeaves(leaves)
  const missing = COUNTED.filter(([type, name]) => counts[type] !== evidence[name]).map(([type, name]) =>
    wrong(`there are ${counts[type]} ${name} in it, and the certificate is about ${evidence[name]}`),
  )
  const found = [...changed, ...missing]
  if (found.length > 0) return found
  // @point certificate.verify.evidence-root
  if (toHex(tree.root()) === evidence.root) return checkReading(certificate, leaves)
  return [
    wrong('its leaves do not have the root that is certified: some were exchanged or put in another order'),
  ]
}

/** Compares the certified reading with the leaves of the documents. Form 1 says nothing about it. */
function checkReading(
  certificate: Certificate,
  leaves: NonNullable<VerifiedBundle['evidence']>,
): Difference[] {
  if (certificate.format === 'concord-certificate/1') return []
  const { about, reading } = certificate
  const tally = createReadingTally()
  for (const { leaf } of leaves) tally.add(leaf)
  const totals = tally.totals()
  const wrong = READING_TOTALS.filter((name) => canonicalForm(reading[name]) !== canonicalForm(totals[name]))
  return wrong.map((name) => {
    const message = `\`${name}\` is ${canonicalForm(reading[name])}, and ${canonicalForm(totals[name])} by the documents in the file`
    return differ('reading', about.number, message)
  })
}

const READING_TOTALS = [
  'readers',
  'coverage',
  'characters',
  'characters_read',
  'documents_with_gaps',
  'claims',
] as const satisfies (keyof CertifiedTotals)[]

const COUNTED = [
  ['document', 'documents'],
  ['claim', 'claims'],
  ['contradiction', 'contradictions'],
  ['decision', 'decisions'],
] as const

function countLeaves(leaves: readonly EvidenceLeafRecord[]): Record<(typeof COUNTED)[number][0], number> {
  const counts = { document: 0, claim: 0, contradiction: 0, decision: 0 }
  for (const { leaf } of leaves) counts[leaf.type] += 1
  return counts
}

function describeLeaf(leaf: EvidenceLeafRecord['leaf']): string {
  switch (leaf.type) {
    case 'document':
      return `document ${JSON.stringify(leaf.document_id)}`
    case 'claim':
      return `claim ${leaf.claim_id} of document ${JSON.stringify(leaf.document_id)}`
    case 'contradiction':
      return `contradiction ${leaf.contradiction_id}`
    case 'decision':
      return `decision ${leaf.decision_id}`
  }
}

function differ(part: DifferingPart, certificate: number | null, message: string): Difference {
  return { part, certificate, message }
}
