/** What policies say of a scope that is to be declared settled. */
import type { CertificateBundleRecord } from '@concord/contract'
import type { PolicyDecision } from '../../domain/policy.ts'
import type { PolicyEngine } from '../../policy/engine.ts'
import type { ScopeFacts } from '../../store/convergence.ts'
import { selectPoliciesInForce } from '../../store/policy-texts.ts'
import type { TenantTransaction } from '../../store/transaction.ts'

export type ScopeDecision = Pick<PolicyDecision, 'allowed' | 'reason' | 'policies'>

export interface ScopePolicies {
  readonly hash: string
  readonly texts: NonNullable<CertificateBundleRecord['policy']>
  /** Makes them ready, which takes a moment the first time: for whoever will ask while others wait for him. */
  prepare(): void
  decide(facts: ScopeFacts): ScopeDecision
}

/** Those in force in this transaction. */
export async function policiesInForce(
  engine: PolicyEngine,
  transaction: TenantTransaction,
  scopeId: string,
): Promise<ScopePolicies> {
  const { tenant, scope } = await selectPoliciesInForce(transaction, scopeId)
  const { tenantId } = transaction
  const load = () => engine.load({ tenant, scope })
  return {
    hash: engine.hashOf({ tenant, scope }),
    texts: { schema: engine.schemaText, default: engine.defaultText, tenant, scope },
    prepare: () => void load(),
    decide: (facts) => load().decide({ tenantId, scopeId, point: 'settle_scope', scope: facts }),
  }
}
