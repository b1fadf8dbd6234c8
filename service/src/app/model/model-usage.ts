/** Reports how much a tenant has used of the language model. */
import type { TenantCaller } from '../../domain/caller.ts'
import { selectUsage } from '../../store/model/model-answers.ts'
import type { UsageRow } from '../../store/model/model-answers.ts'
import type { Pools } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'

export type { UsageRow }

/** Covers the last days, today included, newest first. */
export async function getModelUsage(
  { pools }: { readonly pools: Pools },
  who: TenantCaller,
  days: number,
): Promise<readonly UsageRow[]> {
  return inTenant(pools.tenant, who.tenantId, (transaction) => selectUsage(transaction, days))
}
