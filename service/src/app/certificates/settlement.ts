/** Whether a scope may be declared settled: convergence says whether it is, policy whether it may be called so. */
import { randomUUIDv7 } from 'node:crypto'
import type { FieldFault } from '@concord/contract'
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { PolicyEngine } from '../../policy/engine.ts'
import { selectBlockers, selectScopeFacts } from '../../store/convergence.ts'
import type { Blocker, ScopeFacts } from '../../store/convergence.ts'
import { insertDecision } from '../../store/decisions.ts'
import { appendEvents } from '../../store/scope-log.ts'
import type { ScopeHead } from '../../store/scope-log.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { recordAudit } from '../audit.ts'
import type { Auditor } from '../audit.ts'
import { sealGrounds } from '../decisions.ts'
import type { ScopeSeal } from '../scope-seals.ts'
import { policiesInForce } from './governance.ts'
import type { ScopeDecision, ScopePolicies } from './governance.ts'

/** In words of people; sealed. */
export interface Words {
  readonly by: string | null
  readonly reason: string | null
}

export interface Settlement {
  readonly decisionId: string
  readonly facts: ScopeFacts
  readonly decision: ScopeDecision
  readonly policies: ScopePolicies
  /** After what was told of it. */
  readonly head: ScopeHead
}

export interface SettlementDeps {
  readonly policyEngine: PolicyEngine
  readonly auditor: Auditor
}

/** Needs the head to be held. What policy refuses is kept and told like what it allows. */
export async function decideSettlement(
  { policyEngine, auditor }: SettlementDeps,
  transaction: TenantTransaction,
  who: TenantCaller,
  head: ScopeHead,
  { seal, words }: { readonly seal: ScopeSeal; readonly words: Words },
): Promise<Settlement> {
  const { scopeId, epoch } = head
  const { tenantId } = transaction
  const facts = await requireSettled(transaction, scopeId)
  const policies = await policiesInForce(policyEngine, transaction, scopeId)
  const decision = policies.decide(facts)
  const decisionId = randomUUIDv7()
  const result = decision.allowed ? 'allowed' : 'refused'
  const told = { decision_id: decisionId, point: 'settle_scope', result, decided_by: 'policy' }
  const seq = await appendEvents(transaction, head, [
    { kind: 'decision.made', documentId: null, version: null, data: told },
  ])
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
    sealed: sealGrounds(seal, decisionId, words),
    seq,
  })
  const details = { point: 'settle_scope', result, policy_hash: policies.hash }
  await recordAudit(transaction.connection, auditor, [
    { action: 'decision.made', who, tenantId, scopeId, subject: decisionId, details },
  ])
  return { decisionId, facts, decision, policies, head: { ...head, head: seq } }
}

export function refusal({ reason, policies }: ScopeDecision): Fault {
  const named = policies.map((id) => ({
    pointer: `/policies/${id.replaceAll('/', '~1')}`,
    code: reason,
    message: id,
  }))
  const fields =
    named.length > 0 ? named : [{ pointer: '/policies', code: reason, message: 'No policy permits it.' }]
  return new Fault('refused_by_policy', { fields })
}

/** As many as a problem names. */
const NAMED_BLOCKERS = 20

export async function requireSettled(transaction: TenantTransaction, scopeId: string): Promise<ScopeFacts> {
  const facts = await selectScopeFacts(transaction, scopeId)
  if (!facts) throw new Fault('scope_not_found')
  if (facts.state === 'settled') return facts
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
  const list = kind === 'contradiction_open' ? 'contradictions' : 'documents'
  const escaped = id.replaceAll('~', '~0').replaceAll('/', '~1')
  return { pointer: `/${list}/${escaped}`, code: kind, message: BLOCKED[kind] }
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
  document_unfinished: 'Wait until this document is processed.',
}
