/** Evaluates the policies for declaring a scope settled. */
import type { CertificateBundleRecord } from '@concord/contract'
import type { PolicyDecision, ScopeFacts } from '../../domain/policy.ts'
import type { PolicyEngine } from '../../policy/engine.ts'
import { selectPoliciesInForce } from '../../store/access/policy-texts.ts'
import type { TenantTransaction } from '../../store/transaction.ts'

export type ScopeDecision = Pick<PolicyDecision, 'allowed' | 'reason' | 'policies'>

export interface ScopePolicies {
  readonly hash: string
  readonly texts: NonNullable<CertificateBundleRecord['policy']>
  /** The first evaluation is slow, so it should not happen while a scope is locked. */
  decide(facts: ScopeFacts): ScopeDecision
}

/** Returns the policies in effect in this transaction. */
export async function policiesInForce(
  engine: PolicyEngine,
  transaction: TenantTransaction,
  scopeId: string,
): Promise<ScopePolicies> {
  const { tenant, scope } = await selectPoliciesInForce(transaction, scopeId)
  const { tenantId } = transaction
  return {
    hash: engine.hashOf({ tenant, scope }),
    texts: { schema: engine.schemaText, default: engine.defaultText, tenant, scope },
    decide: (facts) =>
      engine.load({ tenant, scope }).decide({ tenantId, scopeId, point: 'settle_scope', scope: facts }),
  }
}
