/**
 * Compares groups again after documents were removed, in steps. A worker leases a step. Its thread compares the groups
 * before it locks the scope, and writes the result and the end of the step in one transaction. A step is idempotent: a
 * second worker finds nothing to do.
 */
import { stepRetryDelayMs } from '../../domain/comparison-step.ts'
import * as store from '../../store/comparing/comparison-steps.ts'
import type { StepRef } from '../../store/comparing/comparison-steps.ts'
import type { Pools } from '../../store/pools.ts'
import { lockScopeHead } from '../../store/scopes/scope-log.ts'
import { inTenant, inTenantScope } from '../../store/transaction.ts'
import { compareClaims } from './comparison.ts'
import type { CompareDeps } from './comparison.ts'
import { comparePrecomputed } from './precomputation.ts'
import type { ScopeSeals } from '../scopes/scope-seals.ts'

export interface LeasedGroups {
  readonly ref: StepRef
  readonly epoch: number
  readonly groups: readonly bigint[]
}

/** `gone`: another worker was faster, or the scope was reset; nothing is written. */
export type GroupStepOutcome = 'compared' | 'gone'

export interface GroupStepDeps {
  /** Runs as the worker role. */
  readonly pools: Pools
  readonly compare: (taken: LeasedGroups) => Promise<GroupStepOutcome>
  /** Called after the commit with the scope that has new events. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
}

/** Longer than a thread may compare, so that no step is compared twice at the same time. */
const LEASE_MS = 120_000

export async function findDueGroupSteps({ pools }: Pick<GroupStepDeps, 'pools'>, most: number) {
  return store.selectDueSteps(pools.kernel, 'groups', most)
}

/** Rejects if the comparison failed. The step is retried later. */
export async function runGroupStep(deps: GroupStepDeps, ref: StepRef): Promise<GroupStepOutcome> {
  const { tenantId, scopeId } = ref
  const row = await inTenant(deps.pools.tenant, tenantId, (transaction) =>
    store.leaseGroupStep(transaction, ref, LEASE_MS),
  )
  if (!row) return 'gone'
  try {
    const outcome = await deps.compare({ ref, epoch: row.epoch, groups: row.groups })
    if (outcome === 'compared') deps.announceEvents(tenantId, scopeId)
    return outcome
  } catch (error) {
    const { failures } = row
    const postponement = { afterMs: stepRetryDelayMs(failures), failures: failures + 1, refusals: 0 }
    await inTenant(deps.pools.tenant, tenantId, (transaction) =>
      store.postponeStep(transaction, ref, postponement),
    )
    throw error
  }
}

/** Compares the groups of the step as they are now and ends the step, in one transaction. */
export async function compareGroups(
  { pools, seals, ...compareDeps }: CompareDeps & { readonly pools: Pools; readonly seals: ScopeSeals },
  { ref, epoch, groups }: LeasedGroups,
): Promise<GroupStepOutcome> {
  const { tenantId, scopeId } = ref
  const remembered = await seals.get(tenantId, scopeId)
  if (remembered.epoch < epoch) seals.forget(tenantId, scopeId, remembered.epoch)
  const seal = await seals.get(tenantId, scopeId)
  if (seal.epoch !== epoch) return 'gone'
  const change = { tenantId, scopeId, seal, documents: [], groups }
  return comparePrecomputed(pools.tenant, [change], compareDeps, (prepared) =>
    inTenantScope(pools.tenant, { tenantId, scopeId }, async (transaction) => {
      const head = await lockScopeHead(transaction, scopeId)
      if (head?.epoch !== epoch) return 'gone'
      if (!(await store.endStep(transaction, ref, { epoch, declined: [], met: [] }))) return 'gone'
      await compareClaims(transaction.connection, [change], prepared)
      return 'compared'
    }),
  )
}
