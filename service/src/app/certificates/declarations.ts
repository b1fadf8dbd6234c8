/**
 * Declares a scope settled and issues the certificate. The evidence is read page by page without a lock. Then the head is
 * locked, and if the log has no new entries since, the certificate is true of what was read.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { TenantCaller } from '../../domain/caller.ts'
import { certificateHashOf, certify } from '../../domain/certificate.ts'
import type { Statement } from '../../domain/certificate.ts'
import { Fault } from '../../domain/fault.ts'
import type { ScopeFacts } from '../../domain/policy.ts'
import type { PolicyEngine } from '../../policy/engine.ts'
import type { FairQueue } from '../../platform/fair-queue.ts'
import { sha256 } from '../../platform/signing.ts'
import type { SigningKey } from '../../platform/signing.ts'
import * as store from '../../store/certificates/certificates.ts'
import type { CertificateRow } from '../../store/certificates/certificates.ts'
import { appendEvents } from '../../store/scopes/scope-log.ts'
import type { ScopeHead } from '../../store/scopes/scope-log.ts'
import { inTenant } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import type { StoreResult } from '../stored-answers.ts'
import { reopeningOf, toIssued } from './certificates.ts'
import type { IssuedCertificate } from './certificates.ts'
import { policiesInForce } from './governance.ts'
import type { ScopePolicies } from './governance.ts'
import { describeRefusal, recordSettlement, requireFinished } from './settlement.ts'
import type { RecordedSettlement, CertificateSettlement, DeclarationReason } from './settlement.ts'
import { summariseEvidence } from './summary.ts'
import type { EvidenceSummary } from './summary.ts'
import { requireScope } from '../scopes/required-scope.ts'
import type { ScopeReadDeps } from '../scopes/sealed-rows.ts'
import { inScope } from '../scopes/scope-transaction.ts'
import type { ScopeWriteDeps } from '../scopes/scope-transaction.ts'

export type { DeclarationReason }

export interface DeclarationDeps extends ScopeReadDeps, ScopeWriteDeps {
  readonly policyEngine: PolicyEngine
  /** The signing keys. New certificates are signed with the first. */
  readonly certificateKeys: readonly SigningKey[]
  /** Limits how many requests read all the evidence of a scope at once. Without it there is no limit. */
  readonly evidenceTurns?: FairQueue
}

export interface DeclarationResult extends IssuedCertificate {
  /** False if the certificate existed already. */
  readonly issued: boolean
}

interface Declaration {
  readonly scopeId: string
  readonly words: DeclarationReason
  readonly keep: StoreResult<DeclarationResult> | undefined
}

/** The maximum number of tries. The evidence may change while it is read. */
const MAX_TRIES = 3

export async function declareSettled(
  deps: DeclarationDeps,
  who: TenantCaller,
  scopeId: string,
  words: DeclarationReason,
  keep?: StoreResult<DeclarationResult>,
): Promise<DeclarationResult> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- once more only when something changed meanwhile
    const declared = await tryToDeclare(deps, who, { scopeId, words, keep })
    if (declared) return declared
  }
  throw new Fault('not_settled', { internal: 'the evidence changed again and again while it was read' })
}

/** Returns undefined and does nothing if the scope changed meanwhile. */
async function tryToDeclare(
  deps: DeclarationDeps,
  who: TenantCaller,
  { scopeId, words, keep }: Declaration,
): Promise<DeclarationResult | undefined> {
  const ground = await inTenant(deps.pools.tenant, who.tenantId, (transaction) =>
    survey(deps, transaction, scopeId),
  )
  if ('current' in ground) {
    const declared = { ...toIssued(ground.current, null), issued: false }
    if (keep) await inScope(deps, who, scopeId, (transaction) => keep(transaction, scopeId, declared))
    return declared
  }
  const { facts, policies } = ground
  const settlement = { facts, policies, decision: policies.decide(facts) }
  // A refusal by a policy is recorded, and needs no evidence.
  const summary = settlement.decision.allowed ? await readEvidenceInTurn(deps, who, scopeId) : undefined
  const outcome = await inScope(deps, who, scopeId, async (transaction, held, seal) => {
    if (!(await isStill(deps, transaction, held, ground))) return undefined
    const grounds = { ...settlement, seal, words }
    const recorded = await recordSettlement(deps.auditor, transaction, who, held, grounds)
    if (!summary) return { refused: await describeRefusal(transaction, scopeId, settlement) }
    const row = await issue(deps, transaction, who, { ...ground, ...settlement, ...summary, held, recorded })
    const declared = { ...toIssued(row, null), issued: true }
    await keep?.(transaction, scopeId, declared)
    return declared
  })
  if (outcome && 'refused' in outcome) throw outcome.refused
  return outcome
}

/** Allows one read of a scope and two of a tenant at a time. Each uses a connection repeatedly, and its duration grows with the evidence. */
async function readEvidenceInTurn(
  deps: DeclarationDeps,
  who: TenantCaller,
  scopeId: string,
): Promise<EvidenceSummary> {
  const release = await deps.evidenceTurns?.acquire(who.tenantId, `${who.tenantId}/${scopeId}`)
  try {
    return await summariseEvidence(deps, who, scopeId)
  } finally {
    release?.()
  }
}

interface Ground {
  readonly head: ScopeHead
  readonly latest: CertificateRow | undefined
  /** The log position of the first new evidence after the latest certificate. */
  readonly reopenedAt: number | null
  readonly policies: ScopePolicies
  readonly facts: ScopeFacts
}

async function survey(
  { policyEngine }: DeclarationDeps,
  transaction: TenantTransaction,
  scopeId: string,
): Promise<Ground | { readonly current: CertificateRow }> {
  const head = await requireScope(transaction, scopeId)
  const latest = await store.selectLatestCertificate(transaction, scopeId)
  const reopenedAt = latest ? await reopeningOf(transaction, latest) : null
  const policies = await policiesInForce(policyEngine, transaction, scopeId)
  if (latest && reopenedAt === null && latest.certificate.policy.hash === policies.hash)
    return { current: latest }
  return { head, latest, reopenedAt, policies, facts: await requireFinished(transaction, scopeId) }
}

/** The caller must hold the lock of the head, so the evidence read before is still the present one, and these policies decided on it. */
async function isStill(
  { policyEngine }: DeclarationDeps,
  transaction: TenantTransaction,
  held: ScopeHead,
  { head, latest, policies }: Ground,
): Promise<boolean> {
  if (held.epoch !== head.epoch) return false
  if ((await store.selectNewEvidence(transaction, held.scopeId, head.head)) !== null) return false
  const now = await store.selectLatestCertificate(transaction, held.scopeId)
  if (now?.certificate.about.number !== latest?.certificate.about.number) return false
  return (await policiesInForce(policyEngine, transaction, held.scopeId)).hash === policies.hash
}

interface Ready extends Ground, CertificateSettlement, EvidenceSummary {
  readonly held: ScopeHead
  readonly recorded: RecordedSettlement
}

async function issue(
  { certificateKeys: [key], auditor }: DeclarationDeps,
  transaction: TenantTransaction,
  who: TenantCaller,
  { held, recorded, facts, decision, policies, evidence, totals, latest, reopenedAt }: Ready,
): Promise<CertificateRow> {
  if (!key) throw new Error('no key to sign certificates with')
  const certificate = certify(sha256, key, {
    about: {
      certificate_id: randomUUIDv7(),
      tenant_id: transaction.tenantId,
      scope_id: held.scopeId,
      epoch: held.epoch,
      number: (latest?.certificate.about.number ?? 0) + 1,
      log_position: held.head,
      decision_id: recorded.decisionId,
      issued_at: new Date().toISOString(),
    },
    evidence,
    policy: { hash: policies.hash, policies: [...decision.policies] },
    scores: scoresOf(facts),
    reading: { ...totals, claims_compared: facts.compared, comparisons_incomplete: facts.incomplete },
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
  await store.recordCertified(transaction, certificate)
  await recordDeclaration(transaction, auditor, who, recorded.head, row)
  return row
}

function scoresOf({
  state,
  score,
  coverage,
  agreement,
  resolution,
  stability,
}: ScopeFacts): Statement['scores'] {
  const certified = CERTIFIED_STATES.find((each) => each === state)
  if (!certified) throw new Error(`a scope that is ${state} cannot be certified`)
  return { state: certified, score, parts: { coverage, agreement, resolution, stability } }
}

const CERTIFIED_STATES = [
  'settled',
  'converging',
  'unassessed',
] as const satisfies Statement['scores']['state'][]

async function recordDeclaration(
  transaction: TenantTransaction,
  auditor: Auditor,
  who: TenantCaller,
  head: ScopeHead,
  { certificate, hash }: CertificateRow,
): Promise<void> {
  const { certificate_id, number, log_position, decision_id, scope_id: scopeId } = certificate.about
  const data = { certificate_id, number, log_position, decision_id }
  await appendEvents(transaction, head, [{ kind: 'scope.declared', documentId: null, version: null, data }])
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
