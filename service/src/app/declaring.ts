/**
 * Declaring a scope settled, and the certificates that come of it. The evidence is read page by page without holding the
 * scope; then its head is held, and if the log tells of nothing new since, the certificate is true of what was read.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { TenantCaller } from '../domain/caller.ts'
import { certificateHashOf, certify, hashLeaf, toHex } from '../domain/certificate.ts'
import type { Certificate } from '../domain/certificate.ts'
import { createMerkleTree } from '../domain/certificate/merkle.ts'
import { Fault } from '../domain/fault.ts'
import { sha256 } from '../platform/signing.ts'
import type { SigningKey } from '../platform/signing.ts'
import * as store from '../store/certificates.ts'
import type { CertificateRow } from '../store/certificates.ts'
import { appendEvents } from '../store/scope-log.ts'
import type { ScopeHead } from '../store/scope-log.ts'
import type { ScopeFacts } from '../store/convergence.ts'
import { inTenant } from '../store/transaction.ts'
import type { TenantTransaction } from '../store/transaction.ts'
import { recordAudit } from './audit.ts'
import type { Auditor } from './audit.ts'
import { reopeningOf, requireHead, toIssued } from './certificates.ts'
import type { IssuedCertificate } from './certificates.ts'
import { EVIDENCE_START, readEvidence } from './certificates/evidence.ts'
import type { EvidencePage, EvidencePlace } from './certificates/evidence.ts'
import { policiesInForce } from './certificates/governance.ts'
import type { ScopePolicies } from './certificates/governance.ts'
import { decideSettlement, refusal, requireSettled } from './certificates/settlement.ts'
import type { Settlement, SettlementDeps, Words } from './certificates/settlement.ts'
import type { ScopeReadingDeps } from './scope-reading.ts'
import { inScope } from './scope-writing.ts'
import type { ScopeWritingDeps } from './scope-writing.ts'

export type { Words }

export interface DeclaringDeps extends ScopeReadingDeps, ScopeWritingDeps, SettlementDeps {
  /** The first signs. */
  readonly certificateKeys: readonly SigningKey[]
}

export interface Declared extends IssuedCertificate {
  /** False where it was there already. */
  readonly issued: boolean
}

/** As often as the evidence may change while it is read. */
const MAX_TRIES = 3

export async function declareSettled(
  deps: DeclaringDeps,
  who: TenantCaller,
  scopeId: string,
  words: Words,
): Promise<Declared> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- once more only when something changed meanwhile
    const declared = await tryToDeclare(deps, who, scopeId, words)
    if (declared) return declared
  }
  throw new Fault('not_settled', { internal: 'the evidence changed again and again while it was read' })
}

/** Undefined, and nothing done, when something changed meanwhile. */
async function tryToDeclare(
  deps: DeclaringDeps,
  who: TenantCaller,
  scopeId: string,
  words: Words,
): Promise<Declared | undefined> {
  const ground = await inTenant(deps.pools.tenant, who.tenantId, (transaction) =>
    survey(deps, transaction, scopeId),
  )
  const { latest, reopenedAt } = ground
  if (latest && reopenedAt === null && latest.certificate.policy.hash === ground.policies.hash)
    return { ...toIssued(latest, null), issued: false }
  ground.policies.prepare()
  const evidence = await summarise(deps, who, scopeId)
  const outcome = await inScope(deps, who, scopeId, async (transaction, held, seal) => {
    if (!(await isStill(transaction, held, ground))) return undefined
    const settlement = await decideSettlement(deps, transaction, who, held, { seal, words })
    if (!settlement.decision.allowed) return { refused: settlement.decision }
    return issue(deps, transaction, who, { ...ground, held, settlement, evidence })
  })
  if (outcome && 'refused' in outcome) throw refusal(outcome.refused)
  return outcome && { ...toIssued(outcome, null), issued: true }
}

interface Ground {
  readonly head: ScopeHead
  readonly latest: CertificateRow | undefined
  /** Where new evidence came after the latest certificate. */
  readonly reopenedAt: number | null
  readonly policies: ScopePolicies
}

async function survey(
  { policyEngine }: DeclaringDeps,
  transaction: TenantTransaction,
  scopeId: string,
): Promise<Ground> {
  const head = await requireHead(transaction, scopeId)
  const latest = await store.selectLatestCertificate(transaction, scopeId)
  const reopenedAt = latest ? await reopeningOf(transaction, latest) : null
  const policies = await policiesInForce(policyEngine, transaction, scopeId)
  const isCurrent = latest && reopenedAt === null && latest.certificate.policy.hash === policies.hash
  if (!isCurrent) await requireSettled(transaction, scopeId)
  return { head, latest, reopenedAt, policies }
}

/** Needs the head to be held. Whatever was read since the survey is then what there is now. */
async function isStill(
  transaction: TenantTransaction,
  held: ScopeHead,
  { head, latest }: Ground,
): Promise<boolean> {
  if (held.epoch !== head.epoch) return false
  if ((await store.selectNewEvidence(transaction, held.scopeId, head.head)) !== null) return false
  const now = await store.selectLatestCertificate(transaction, held.scopeId)
  return now?.certificate.about.number === latest?.certificate.about.number
}

/** Root and counts of all the evidence; it grows with the scope, and what is remembered of it does not. */
async function summarise(
  deps: DeclaringDeps,
  who: TenantCaller,
  scopeId: string,
): Promise<Certificate['evidence']> {
  const tree = createMerkleTree(sha256)
  const counts = { document: 0, claim: 0, contradiction: 0, decision: 0 }
  let place: EvidencePlace | undefined = EVIDENCE_START
  while (place) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const page: EvidencePage = await readEvidence(deps, who, scopeId, place, WALK_PAGE)
    for (const leaf of page.leaves) {
      tree.add(hashLeaf(sha256, leaf))
      counts[leaf.type] += 1
    }
    place = page.next
  }
  return {
    root: toHex(tree.root()),
    documents: counts.document,
    claims: counts.claim,
    contradictions: counts.contradiction,
    decisions: counts.decision,
  }
}

/** Small enough that others who ask the same process hardly wait for it. */
const WALK_PAGE = 250

interface Ready extends Ground {
  readonly held: ScopeHead
  readonly settlement: Settlement
  readonly evidence: Certificate['evidence']
}

async function issue(
  { certificateKeys: [key], auditor }: DeclaringDeps,
  transaction: TenantTransaction,
  who: TenantCaller,
  { held, settlement, evidence, latest, reopenedAt }: Ready,
): Promise<CertificateRow> {
  if (!key) throw new Error('no key to sign certificates with')
  const { facts, decision, policies } = settlement
  const certificate = certify(sha256, key, {
    about: {
      certificate_id: randomUUIDv7(),
      tenant_id: transaction.tenantId,
      scope_id: held.scopeId,
      epoch: held.epoch,
      number: (latest?.certificate.about.number ?? 0) + 1,
      log_position: held.head,
      decision_id: settlement.decisionId,
      issued_at: new Date().toISOString(),
    },
    evidence,
    policy: { hash: policies.hash, policies: [...decision.policies] },
    scores: scoresOf(facts),
    previous: latest
      ? {
          certificate_id: latest.certificate.about.certificate_id,
          hash: latest.hash.toString('hex'),
          reopened_at: reopenedAt,
        }
      : null,
  })
  const row = { certificate, hash: Buffer.from(certificateHashOf(sha256, certificate), 'hex') }
  await store.insertCertificate(transaction, row)
  await store.noteCertified(transaction, certificate)
  await tell(transaction, auditor, who, settlement.head, row)
  return row
}

function scoresOf({ score, coverage, agreement, resolution, stability }: ScopeFacts): Certificate['scores'] {
  return { state: 'settled', score, parts: { coverage, agreement, resolution, stability } }
}

async function tell(
  transaction: TenantTransaction,
  auditor: Auditor,
  who: TenantCaller,
  head: ScopeHead,
  { certificate, hash }: CertificateRow,
): Promise<void> {
  const { certificate_id, number, log_position, decision_id, scope_id: scopeId } = certificate.about
  const told = { certificate_id, number, log_position, decision_id }
  await appendEvents(transaction, head, [
    { kind: 'scope.declared', documentId: null, version: null, data: told },
  ])
  const { tenantId } = transaction
  const details = { number, log_position, hash: hash.toString('hex'), key_id: certificate.key_id }
  await recordAudit(transaction.connection, auditor, [
    {
      action: 'scope.declared',
      who,
      tenantId,
      scopeId,
      subject: decision_id,
      details: { number, log_position },
    },
    { action: 'certificate.issued', who, tenantId, scopeId, subject: certificate_id, details },
  ])
}
