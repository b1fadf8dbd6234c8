/**
 * Resolves, dismisses and reopens contradictions, with the reason and the actor. Each decision is a row that is never
 * changed. It also applies if the contradiction is withdrawn and found again.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { AuditDetails } from '../../domain/audit.ts'
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { Finding } from '../../domain/finding.ts'
import { mayBecome, statusAfter } from '../../domain/resolution.ts'
import type { Holds, Outcome } from '../../domain/resolution.ts'
import { recordConvergence } from '../../store/scopes/convergence.ts'
import {
  selectContradiction,
  selectOpponents,
  updateStatus,
} from '../../store/contradictions/contradictions.ts'
import type { ContradictionRow } from '../../store/contradictions/contradictions.ts'
import { insertDecision, selectLatestDecisions } from '../../store/contradictions/decisions.ts'
import type { DecidedBy } from '../../store/contradictions/decisions.ts'
import type { EventPayloads, NewEvent } from '../../store/scopes/events.ts'
import { appendEvents } from '../../store/scopes/scope-log.ts'
import type { ScopeHead } from '../../store/scopes/scope-log.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { StoreResult } from '../stored-answers.ts'
import { createRowDecoder, loadRelatedRows } from './contradictions.ts'
import type { FoundContradiction } from './contradictions.ts'
import { decisionEvent, openDecision, sealReason } from './decisions.ts'
import type { DecisionReason } from './decisions.ts'
import { valueRankIn } from '../documents/keyed-claims.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'
import { inScope, storingResult } from '../scopes/scope-transaction.ts'
import type { ScopeWork, ScopeWriteDeps } from '../scopes/scope-transaction.ts'

export interface Settlement extends DecisionReason {
  readonly outcome: Outcome
  /** The side that holds. Null for a dismissal and a reopening. */
  readonly holds: Holds | null
}

/** The same decision again by the same caller changes nothing. */
export async function resolveContradiction(
  deps: ScopeWriteDeps,
  who: TenantCaller,
  scopeId: string,
  contradictionId: string,
  settlement: Settlement,
  keep?: StoreResult<FoundContradiction>,
): Promise<FoundContradiction> {
  const work: ScopeWork<FoundContradiction> = async (transaction, head, seal) => {
    const read = () => selectContradiction(transaction, scopeId, contradictionId)
    const row = await read()
    if (!row) throw new Fault('contradiction_not_found')
    if (mayBecome(row.status, settlement.outcome)) {
      const decision = { ...settlement, decidedBy: 'person', actor: who.actor } as const
      const details = await settle(transaction, head, seal, row, decision)
      const action = `contradiction.${settlement.outcome}` as const
      const { tenantId } = who
      const entry = { action, who, tenantId, scopeId, subject: contradictionId, details }
      await recordAudit(transaction.connection, deps.auditor, [entry])
    } else if (!(await isRepeat(transaction, seal, scopeId, row, settlement, who.actor)))
      throw new Fault('illegal_transition')
    const now = (await read()) ?? row
    return createRowDecoder(
      who.tenantId,
      scopeId,
      seal,
      await loadRelatedRows(transaction, scopeId, [now]),
    )(now)
  }
  return inScope(deps, who, scopeId, storingResult(keep, work))
}

async function isRepeat(
  transaction: TenantTransaction,
  seal: ScopeSeal,
  scopeId: string,
  row: ContradictionRow,
  { outcome, holds, by, reason }: Settlement,
  actor: string,
): Promise<boolean> {
  const [last] = await selectLatestDecisions(transaction, scopeId, [row.contradictionId])
  if (!last || last.result !== outcome || last.actor !== actor) return false
  const before = openDecision(seal, last, row)
  return before.holds === holds && before.by === by && before.reason === reason
}

export interface AttributedSettlement extends Settlement {
  readonly decidedBy: DecidedBy
  /** The actor. Null if no caller requested it. */
  readonly actor: string | null
}

function settledEvent(
  { outcome, holds }: AttributedSettlement,
  data: EventPayloads['contradiction.dismissed'],
): NewEvent {
  const nowhere = { documentId: null, version: null } as const
  if (outcome !== 'resolved') return { kind: `contradiction.${outcome}`, ...nowhere, data }
  if (holds === null) throw new Error('a resolution says what holds')
  return { kind: 'contradiction.resolved', ...nowhere, data: { ...data, holds } }
}

/** Writes the decision. The caller must hold the lock of the head and check the transition. Returns the details for the audit log. */
async function settle(
  transaction: TenantTransaction,
  head: ScopeHead,
  seal: ScopeSeal,
  row: ContradictionRow,
  settlement: AttributedSettlement,
): Promise<AuditDetails> {
  const { outcome, holds, decidedBy, actor } = settlement
  const { contradictionId } = row
  const { scopeId, epoch } = head
  const decisionId = randomUUIDv7()
  const values = valuesOf(seal, row)
  const upheld = holds === 'a' ? values[0] : holds === 'b' ? values[1] : null
  await updateStatus(transaction, scopeId, contradictionId, statusAfter(outcome), values)
  const ids = { contradiction_id: contradictionId, decision_id: decisionId, decided_by: decidedBy }
  const seq = await appendEvents(transaction, head, [
    decisionEvent({
      decision_id: decisionId,
      point: 'settle_contradiction',
      result: outcome,
      decided_by: decidedBy,
    }),
    settledEvent(settlement, ids),
  ])
  const isKnown = upheld !== null && row.group !== null
  await insertDecision(transaction, scopeId, {
    decisionId,
    epoch,
    point: 'settle_contradiction',
    result: outcome,
    decidedBy,
    contradictionId,
    documentIds: [row.documentA, row.documentB].filter((id) => id !== null),
    holds,
    upheld,
    against: isKnown ? await selectOpponents(transaction, scopeId, row.group, upheld) : [],
    policyHash: null,
    policies: [],
    actor,
    sealed: sealReason(seal, decisionId, settlement),
    seq,
  })
  await recordConvergence(transaction.connection, [{ tenantId: transaction.tenantId, scopeId }])
  return { epoch, seq, decision_id: decisionId, holds }
}

/** Returns the ranks of both values. For a row from before ranks were stored, computes them from its claims. */
function valuesOf(seal: ScopeSeal, row: ContradictionRow): readonly [bigint | null, bigint | null] {
  const { group, valueA, valueB } = row
  if (group === null || (valueA !== null && valueB !== null)) return [valueA, valueB]
  const { a, b }: Finding = JSON.parse(
    seal.open('contradiction', row.contradictionId, row.sealed).toString('utf8'),
  )
  return [valueRankIn(seal, group, a.claim), valueRankIn(seal, group, b.claim)]
}
