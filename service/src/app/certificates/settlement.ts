/**
 * Decides whether a scope may be declared settled. Open contradictions, unfinished work, and held or failed documents always prevent it.
 * The policies decide whether enough was read and compared, and by which reader.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { FieldFault } from '@concord/contract'
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import { readerKindOf } from '../../domain/policy.ts'
import type { ScopeFacts } from '../../domain/policy.ts'
import { selectBlockers, selectScopeFacts } from '../../store/scopes/convergence.ts'
import type { Blocker } from '../../store/scopes/convergence.ts'
import { insertDecision } from '../../store/contradictions/decisions.ts'
import { selectReaders } from '../../store/certificates/evidence.ts'
import { appendEvents } from '../../store/scopes/scope-log.ts'
import type { ScopeHead } from '../../store/scopes/scope-log.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import { decisionEvent, sealReason } from '../contradictions/decisions.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'
import type { ScopeDecision, ScopePolicies } from './governance.ts'

/** Free text of people. It is encrypted. */
export interface DeclarationReason {
  readonly by: string | null
  readonly reason: string | null
}

/** The decision of the present policies about the scope. */
export interface CertificateSettlement {
  readonly facts: ScopeFacts
  readonly decision: ScopeDecision
  readonly policies: ScopePolicies
}

export interface RecordedSettlement {
  readonly decisionId: string
  /** The head after the event of the decision. */
  readonly head: ScopeHead
}

/** Records the decision of the policies, whether they allow or refuse. The caller must hold the lock of the head. */
export async function recordSettlement(
  auditor: Auditor,
  transaction: TenantTransaction,
  who: TenantCaller,
  head: ScopeHead,
  {
    decision,
    policies,
    seal,
    words,
  }: CertificateSettlement & { readonly seal: ScopeSeal; readonly words: DeclarationReason },
): Promise<RecordedSettlement> {
  const { scopeId, epoch } = head
  const { tenantId } = transaction
  const decisionId = randomUUIDv7()
  const result = decision.allowed ? 'allowed' : 'refused'
  const data = { decision_id: decisionId, point: 'settle_scope', result, decided_by: 'policy' } as const
  const seq = await appendEvents(transaction, head, [decisionEvent(data)])
  await insertDecision(transaction, scopeId, {
    decisionId,
    epoch,
    point: 'settle_scope',
    result,
    decidedBy: 'policy',
    contradictionId: null,
    documentIds: [],
    holds: null,
    upheld: null,
    against: [],
    policyHash: Buffer.from(policies.hash, 'hex'),
    policies: decision.policies,
    actor: who.actor,
    sealed: sealReason(seal, decisionId, words),
    seq,
  })
  const details = { point: 'settle_scope', result, policy_hash: policies.hash }
  await recordAudit(transaction.connection, auditor, [
    { action: 'decision.made', who, tenantId, scopeId, subject: decisionId, details },
  ])
  return { decisionId, head: { ...head, head: seq } }
}

/** The maximum number of items that a problem names. */
const NAMED_BLOCKERS = 20

/** Names all reasons of a refusal at once: unread or uncompared text, policies, and the reader. */
export async function describeRefusal(
  transaction: TenantTransaction,
  scopeId: string,
  settlement: CertificateSettlement,
): Promise<Fault> {
  const { facts, decision } = settlement
  const blockers = (await selectBlockers(transaction, scopeId, NAMED_BLOCKERS)).map(toFieldFault)
  if (facts.state === 'unassessed') blockers.push(toUnassessed(facts))
  const named = decision.policies.map((id) => ({
    pointer: `/policies/${escape(id)}`,
    code: decision.reason,
    message: id,
  }))
  const fields = [...blockers, ...named, ...describeReader(settlement)]
  if (blockers.length > 0) return new Fault('not_settled', { fields })
  return new Fault('refused_by_policy', { fields: fields.length > 0 ? fields : [NOT_PERMITTED] })
}

const NOT_PERMITTED: FieldFault = {
  pointer: '/policies',
  code: 'not_permitted',
  message: 'No policy permits it.',
}

function toUnassessed({ claims, compared }: ScopeFacts): FieldFault {
  return {
    pointer: '/claims',
    code: 'unassessed',
    message: `Only ${compared} of ${claims} claims were compared with another document. Add documents about the same subjects.`,
  }
}

/** Names the reader if it is the only remaining reason why the policies refuse. */
function describeReader({ facts, policies }: CertificateSettlement): FieldFault[] {
  const complete = { ...facts, coverage: 1, gaps: 0, incomplete: 0, compared: facts.claims, state: 'settled' }
  if (policies.decide(complete).allowed) return []
  if (!policies.decide({ ...complete, reader: 'model' }).allowed) return []
  const message = READERS[facts.reader] ?? `No policy permits what the reader ${facts.reader} has read.`
  return [{ pointer: '/documents', code: 'reader_not_permitted', message }]
}

const BY_NAME = 'a policy of the tenant must permit that by name.'
const READERS: Readonly<Record<string, string>> = {
  rules: `Only the rule reader has read these documents; ${BY_NAME}`,
  mixed: `Not all of these documents were read by a model; ${BY_NAME}`,
  none: `These documents have no reading report, so nobody knows what was read; ${BY_NAME}`,
}

/** Throws for reasons that no policy can overrule. */
export async function requireFinished(transaction: TenantTransaction, scopeId: string): Promise<ScopeFacts> {
  const facts = await selectScopeFacts(transaction, scopeId)
  if (!facts) throw new Fault('scope_not_found')
  const { open, unfinished, held, failed, pending, documents } = facts
  const blocking = open.low + open.medium + open.high + open.critical + unfinished + held + failed + pending
  if (documents > 0 && blocking === 0)
    return { ...facts, reader: readerKindOf(await selectReaders(transaction, scopeId)) }
  const blockers = await selectBlockers(transaction, scopeId, NAMED_BLOCKERS)
  const fields = blockers.length > 0 ? blockers.map(toFieldFault) : [NOTHING_THERE]
  throw new Fault('not_settled', { fields, internal: `convergence is ${facts.state}` })
}

const NOTHING_THERE: FieldFault = {
  pointer: '/documents',
  code: 'no_documents',
  message: 'Nothing was processed in this scope yet.',
}

function toFieldFault({ kind, id }: Blocker): FieldFault {
  if (kind.startsWith('comparison_')) return { pointer: '/comparisons', code: kind, message: BLOCKED[kind] }
  const list = kind === 'contradiction_open' ? 'contradictions' : 'documents'
  return { pointer: `/${list}/${escape(id)}`, code: kind, message: BLOCKED[kind] }
}

function escape(id: string): string {
  return id.replaceAll('~', '~0').replaceAll('/', '~1')
}

const BLOCKED: Readonly<Record<Blocker['kind'], string>> = {
  contradiction_open: 'Resolve or dismiss this contradiction.',
  document_failed: 'Retry or remove this document.',
  document_held: 'Release or remove this document.',
  document_unread: 'Nothing of this document was read; send its text, or remove it.',
  document_partly_read: 'Not all of this document was read; split it, or remove it.',
  document_language: 'This document holds text in a language that the reader cannot read.',
  document_without_claims: 'No claim was found in this document; remove it if it states nothing.',
  comparison_incomplete: 'Not all claims of this scope were compared.',
  comparison_pending: 'Wait until the claims of this scope are compared.',
  comparison_not_permitted:
    'No policy permits that all documents of this scope are sent to the model that compares: permit it, or remove them.',
  comparison_over_budget:
    'The token budget is used up: wait for the next period, or have the operator raise it.',
  document_unfinished: 'Wait until this document is processed.',
}
