/** Certificates made up for a test: a chain with evidence, as the service would sign it. */
import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import type { CertificateBundleRecord } from '@concord/contract'
import {
  certificateHashOf,
  certify,
  digestsOf,
  hashLeaf,
  messageOf,
  policyHashOf,
  toHex,
} from '../../src/domain/certificate.ts'
import type { Certificate, Leaf, Signer, Statement } from '../../src/domain/certificate.ts'
import { createMerkleTree } from '../../src/domain/certificate/merkle.ts'
import { createReadingTally } from '../../src/domain/certificate/reading.ts'
import { sha256, signingKeyOf } from '../../src/platform/signing.ts'

export const signer = signingKeyOf(randomBytes(32))

const uuid = fc.uuid().map((id) => id.toLowerCase())
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex)
const share = fc.double({ min: 0, max: 1, noNaN: true })
const count = fc.nat(1000)
const name = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', '"', 'é', '\\', '1', '😀') })
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })

const leaves: fc.Arbitrary<Leaf>[] = [
  fc.record({
    type: fc.constant('document' as const),
    document_id: name,
    version: count,
    status: fc.constant('processed' as const),
    reading: orNull(
      fc
        .record({
          reader: fc.constantFrom('rules', 'model:a'),
          reader_version: fc.constantFrom('1', '2'),
          read: fc.constantFrom('whole' as const, 'part' as const, 'none' as const),
          characters: count,
          characters_read: count,
          claims: count,
        })
        .map((reading) => ({ ...reading, characters: reading.characters + reading.characters_read })),
    ),
  }),
  fc.record({
    type: fc.constant('claim' as const),
    claim_id: uuid,
    document_id: name,
    version: count,
    kind: fc.constantFrom('money' as const, 'date' as const),
    start: count,
    end: count,
    quote_sha256: digest,
    content_sha256: digest,
  }),
  fc.record({
    type: fc.constant('contradiction' as const),
    contradiction_id: uuid,
    relation: fc.constant('conflict' as const),
    kind: fc.constant('money' as const),
    severity: fc.constantFrom('low' as const, 'high' as const),
    status: fc.constant('resolved' as const),
    document_ids: fc.array(name, { maxLength: 2 }),
    content_sha256: digest,
  }),
  fc.record({
    type: fc.constant('decision' as const),
    decision_id: uuid,
    point: fc.constant('settle_contradiction' as const),
    result: fc.constant('resolved' as const),
    decided_by: fc.constantFrom('person' as const, 'policy' as const),
    document_ids: fc.array(name, { maxLength: 3 }),
    contradiction_id: orNull(uuid),
    holds: orNull(fc.constantFrom('a' as const, 'b' as const)),
    policy_hash: orNull(digest),
    policies: fc.array(name, { maxLength: 2 }),
    seq: count,
  }),
]

const anyLeaf = fc.oneof(...leaves)

type Texts = NonNullable<CertificateBundleRecord['policy']>
const words = fc.string({ maxLength: 30 })

interface Link {
  readonly id: string
  /** True for a certificate of form 1, as earlier releases signed it. */
  readonly isFirstForm: boolean
  readonly leaves: readonly Leaf[]
  readonly compared: number
  readonly scores: Statement['scores']
  readonly policy: Texts
  readonly deciding: readonly string[]
  readonly decision: string
  readonly later: number
}

const link: fc.Arbitrary<Link> = fc.record({
  id: uuid,
  isFirstForm: fc.boolean(),
  compared: count,
  leaves: fc.array(anyLeaf, { maxLength: 12 }),
  scores: fc.record({
    state: fc.constantFrom('settled' as const, 'converging' as const, 'unassessed' as const),
    score: share,
    parts: fc.record({ coverage: share, agreement: share, resolution: share, stability: share }),
  }),
  policy: fc.record({ schema: words, default: words, tenant: words, scope: words }),
  deciding: fc.array(name, { maxLength: 3 }),
  decision: uuid,
  later: fc.integer({ min: 1, max: 100 }),
})

function makeBundle(scopeId: string, tenantId: string, links: readonly Link[]): CertificateBundleRecord {
  const certificates: Certificate[] = []
  for (const each of links) {
    const before = certificates.at(-1)
    const position = (before?.about.log_position ?? 0) + each.later
    const statement: Statement = {
      about: {
        certificate_id: each.id,
        tenant_id: tenantId,
        scope_id: scopeId,
        epoch: 0,
        number: certificates.length + 1,
        log_position: position,
        decision_id: each.decision,
        issued_at: '2026-11-16T12:00:00.000Z',
      },
      evidence: evidenceOf(leavesOf(each)),
      policy: { hash: policyHashOf(sha256, each.policy), policies: [...each.deciding] },
      scores: each.scores,
      reading: readingOf(each),
      previous: before
        ? {
            certificate_id: before.about.certificate_id,
            hash: certificateHashOf(sha256, before),
            reopened_at: position,
          }
        : null,
    }
    certificates.push(each.isFirstForm ? certifyFirstForm(statement) : certify(sha256, signer, statement))
  }
  const last = links.at(-1)
  const evidence = last ? leavesOf(last).map((leaf) => ({ hash: toHex(hashLeaf(sha256, leaf)), leaf })) : []
  return { format: 'concord-certificate-bundle/1', certificates, evidence, policy: last?.policy ?? null }
}

function leavesOf({ leaves: all, isFirstForm }: Link): readonly Leaf[] {
  if (!isFirstForm) return all
  return all.map((leaf) => {
    if (leaf.type !== 'document') return leaf
    const { reading: _, ...first } = leaf
    return first
  })
}

function readingOf({ leaves: all, compared }: Link): Statement['reading'] {
  const tally = createReadingTally()
  for (const leaf of all) tally.add(leaf)
  return { ...tally.totals(), claims_compared: compared, comparisons_incomplete: 0 }
}

/** Signs as a release signed it that knew no other form. */
export function certifyFirstForm(
  { about, evidence, policy, previous, scores }: Omit<Statement, 'reading'>,
  key: Signer = signer,
): Certificate {
  const parts = { about, evidence, policy, previous, scores: { ...scores, state: 'settled' as const } }
  const format = 'concord-certificate/1' as const
  const signed = { format, key_id: key.keyId, digests: digestsOf(sha256, parts) }
  const signature = Buffer.from(key.sign(messageOf(signed))).toString('base64url')
  return { ...parts, ...signed, signature }
}

function evidenceOf(all: readonly Leaf[]): Certificate['evidence'] {
  const tree = createMerkleTree(sha256)
  for (const leaf of all) tree.add(hashLeaf(sha256, leaf))
  const countOf = (type: Leaf['type']) => all.filter((leaf) => leaf.type === type).length
  return {
    root: toHex(tree.root()),
    documents: countOf('document'),
    claims: countOf('claim'),
    contradictions: countOf('contradiction'),
    decisions: countOf('decision'),
  }
}

export const anyBundle = fc
  .tuple(
    fc.constantFrom('default', 'acme-2'),
    uuid,
    fc.uniqueArray(link, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
  )
  .map(([scopeId, tenantId, links]) => makeBundle(scopeId, tenantId, links))
