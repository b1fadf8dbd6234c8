/** Changes a scope: locks it until the commit, provides the seal of its generation, and announces its events afterwards. */
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { Pools } from '../../store/pools.ts'
import { lockScopeHead } from '../../store/scopes/scope-log.ts'
import type { ScopeHead } from '../../store/scopes/scope-log.ts'
import { inTenantScope } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import type { Auditor } from '../audit/audit.ts'
import type { StoreResult } from '../stored-answers.ts'
import { requireNotErasing } from './required-scope.ts'
import type { ScopeSeal, ScopeSeals } from './scope-seals.ts'

export interface ScopeWriteDeps {
  readonly pools: Pools
  readonly seals: ScopeSeals
  readonly auditor: Auditor
  /** Called after the commit with the scope that has new events. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
}

export type ScopeWork<Result> = (
  transaction: TenantTransaction,
  head: ScopeHead,
  seal: ScopeSeal,
) => Promise<Result>

export async function inScope<Result>(
  deps: ScopeWriteDeps,
  who: TenantCaller,
  scopeId: string,
  work: ScopeWork<Result>,
): Promise<Result> {
  for (let sealing = 0; sealing < MAX_SEALINGS; sealing += 1) {
    // oxlint-disable-next-line no-await-in-loop -- once more only when the scope was reset meanwhile
    const result = await tryInScope(deps, who, scopeId, work)
    if (!result) continue
    deps.announceEvents(who.tenantId, scopeId)
    return result.of
  }
  throw new Fault('unavailable', { internal: 'the scope was reset again and again' })
}

/** Wraps the work so that its result is stored at the end of the same transaction. */
export function storingResult<Result>(
  keep: StoreResult<Result> | undefined,
  work: ScopeWork<Result>,
): ScopeWork<Result> {
  if (!keep) return work
  return async (transaction, head, seal) => {
    const result = await work(transaction, head, seal)
    await keep(transaction, head.scopeId, result)
    return result
  }
}

/** The maximum number of tries. A scope may be reset during a request. */
const MAX_SEALINGS = 10

/** Returns undefined and does nothing if the cached seal is from before a reset. The seal is then dropped. */
async function tryInScope<Result>(
  { seals, pools }: ScopeWriteDeps,
  { tenantId }: TenantCaller,
  scopeId: string,
  work: ScopeWork<Result>,
): Promise<{ readonly of: Result } | undefined> {
  const seal = await seals.get(tenantId, scopeId)
  return inTenantScope(pools.tenant, { tenantId, scopeId }, async (transaction) => {
    const head = await lockScopeHead(transaction, scopeId)
    if (!head) throw new Fault('scope_not_found')
    requireNotErasing(head)
    if (head.epoch === seal.epoch) return { of: await work(transaction, head, seal) }
    seals.forget(tenantId, scopeId, seal.epoch)
    return undefined
  })
}
