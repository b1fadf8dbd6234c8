/** Stores decisions of policies: one for all documents of a scope that were decided alike and complete together. */
import { randomUUIDv7 } from 'node:crypto'
import type { StoredAttemptResult, StoredDecision, WorkRef } from '../../store/processing/attempts.ts'
import type { ComparisonOutcome } from '../../store/comparing/comparison-outcome.ts'
import type { PoolConnection } from '../../store/pools.ts'
import { enterTenant } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import type { GovernanceDecision } from '../access/governance.ts'

export function shareDecisions<Result extends WorkRef & { readonly made?: readonly GovernanceDecision[] }>(
  results: readonly Result[],
): (Result & { readonly decisions: readonly StoredDecision[] })[] {
  const shared = new Map<string, StoredDecision>()
  return results.map((result) => ({
    ...result,
    decisions: (result.made ?? []).map(({ point, decision: { allowed, policies, hash } }) => {
      const key = [result.tenantId, result.scopeId, point, allowed, hash, ...policies].join(' ')
      const known = shared.get(key)
      if (known) return known
      const made: StoredDecision = {
        id: randomUUIDv7(),
        point,
        result: allowed ? 'allowed' : 'held',
        hash,
        policies,
      }
      shared.set(key, made)
      return made
    }),
  }))
}

type Settled = Pick<StoredAttemptResult, 'tenantId' | 'scopeId' | 'verdict' | 'decisions'>

/** Records in the audit log which documents policies hold. Allowed documents are recorded by their decisions only. */
export async function recordHolds(
  connection: PoolConnection,
  auditor: Auditor,
  settled: readonly Settled[],
): Promise<void> {
  const held = settled.filter(({ verdict }) => verdict === 'held')
  for (const [tenantId, own] of Map.groupBy(held, (result) => result.tenantId)) {
    const byDecision = Map.groupBy(own, ({ decisions }) => decisions?.at(-1))
    const events = [...byDecision].flatMap(([decision, documents]) => {
      const [{ scopeId } = { scopeId: '' }] = documents
      return decision ? [toEvent(tenantId, scopeId, decision, documents.length)] : []
    })
    // oxlint-disable-next-line no-await-in-loop -- one connection, one tenant after the other
    await enterTenant(connection, tenantId)
    // oxlint-disable-next-line no-await-in-loop -- one connection, one tenant after the other
    await recordAudit(connection, auditor, events)
  }
}

/** Records in the audit log which findings a policy resolved or reopened. All other findings stay open. */
export async function recordRulings(
  connection: PoolConnection,
  auditor: Auditor,
  outcomes: readonly Pick<ComparisonOutcome, 'tenantId' | 'scopeId' | 'ruled'>[],
): Promise<void> {
  const decisive = outcomes.filter(({ ruled }) => ruled.length > 0)
  for (const [tenantId, own] of Map.groupBy(decisive, (outcome) => outcome.tenantId)) {
    const events = own.flatMap(({ scopeId, ruled }) =>
      ruled.map(({ decisionId, result, policyHash, policies }) => {
        const decision = { id: decisionId, point: 'settle_contradiction', result, hash: policyHash, policies }
        return toEvent(tenantId, scopeId, decision, 2)
      }),
    )
    // oxlint-disable-next-line no-await-in-loop -- one connection, one tenant after the other
    await enterTenant(connection, tenantId)
    // oxlint-disable-next-line no-await-in-loop -- one connection, one tenant after the other
    await recordAudit(connection, auditor, events)
  }
}

type DecisionSummary = Pick<StoredDecision, 'id' | 'hash' | 'policies'> & {
  readonly point: string
  readonly result: string
}

function toEvent(tenantId: string, scopeId: string, decision: DecisionSummary, documents: number) {
  const { id, point, result, hash, policies } = decision
  return {
    action: 'decision.made',
    who: { tier: 'policy', actor: 'policy' },
    tenantId,
    scopeId,
    subject: id,
    details: { point, result, documents, policy_hash: hash, policies: policies.join(',') },
  } as const
}
