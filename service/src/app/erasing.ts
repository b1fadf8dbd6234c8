/**
 * Erasing for good: all content of a scope goes in one transaction, and so does the key that could read copies of it.
 * Whatever was under way carries the old generation and has no effect.
 */
import type { AuditActor } from '../domain/audit.ts'
import type { Caller, TenantCaller } from '../domain/caller.ts'
import { Fault } from '../domain/fault.ts'
import type { MasterKeyBytes } from '../platform/config.ts'
import { beginGeneration, endScope, endTenant, eraseContent } from '../store/erasing.ts'
import type { Erased } from '../store/erasing.ts'
import type { Pools } from '../store/pools.ts'
import { appendEvents, lockScopeHead } from '../store/scope-log.ts'
import type { ScopeHead } from '../store/scope-log.ts'
import { selectScopes } from '../store/scopes.ts'
import { inTenant, inTenantScope } from '../store/transaction.ts'
import type { TenantTransaction } from '../store/transaction.ts'
import { recordAudit } from './audit.ts'
import type { Auditor } from './audit.ts'
import { makeScopeKey } from './scopes.ts'

export interface ErasingDeps {
  readonly pools: Pools
  readonly masterKeys: readonly MasterKeyBytes[]
  readonly auditor: Auditor
  /** Told after the commit which scope has something new. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
}

export type Removed = Erased

export async function resetScope(
  { pools, masterKeys, auditor, announceEvents }: ErasingDeps,
  who: TenantCaller,
  scopeId: string,
): Promise<{ readonly epoch: number; readonly removed: Removed; readonly seq: number }> {
  const { tenantId } = who
  const answer = await inTenantScope(pools.tenant, { tenantId, scopeId }, async (transaction) => {
    const head = await requireHead(transaction, scopeId)
    const removed = await eraseContent(transaction, scopeId)
    const epoch = head.epoch + 1
    await beginGeneration(transaction, scopeId, epoch)
    await makeScopeKey(masterKeys, transaction, { scopeId, epoch })
    const seq = await appendEvents(transaction, { ...head, epoch }, [
      { kind: 'scope.reset', documentId: null, version: null, data: { removed: toRemovedRecord(removed) } },
    ])
    const details = { epoch, seq, ...toRemovedRecord(removed) }
    await recordAudit(transaction.connection, auditor, [
      { action: 'scope.reset', who, tenantId, scopeId, details },
    ])
    return { epoch, removed, seq }
  })
  announceEvents(tenantId, scopeId)
  return answer
}

export async function deleteScope(
  { pools, auditor, announceEvents }: ErasingDeps,
  who: TenantCaller,
  scopeId: string,
): Promise<{ readonly removed: Removed }> {
  const { tenantId } = who
  const removed = await inTenantScope(pools.tenant, { tenantId, scopeId }, (transaction) =>
    removeScope(auditor, transaction, who, scopeId),
  )
  announceEvents(tenantId, scopeId)
  return { removed }
}

/** Scope by scope, so that no transaction is longer than it must be; then the tenant with its keys. */
export async function deleteTenant(
  deps: ErasingDeps,
  who: Caller,
  tenantId: string,
): Promise<{ readonly scopes: number; readonly removed: Removed }> {
  let scopes = 0
  let removed = NOTHING
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const page = await inTenant(deps.pools.tenant, tenantId, (transaction) =>
      selectScopes(transaction, undefined, PAGE),
    )
    for (const { scopeId } of page) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
      const more = await inTenantScope(deps.pools.tenant, { tenantId, scopeId }, (transaction) =>
        removeScope(deps.auditor, transaction, who, scopeId),
      )
      removed = sum(removed, more)
      scopes += 1
    }
    if (page.length < PAGE) break
  }
  await inTenant(deps.pools.tenant, tenantId, async (transaction) => {
    if (!(await endTenant(transaction))) throw new Fault('tenant_not_found')
    const details = { scopes, ...toRemovedRecord(removed) }
    await recordAudit(transaction.connection, deps.auditor, [
      { action: 'tenant.deleted', who, tenantId, subject: tenantId, details },
    ])
  })
  return { scopes, removed }
}

const PAGE = 100

async function removeScope(
  auditor: Auditor,
  transaction: TenantTransaction,
  who: AuditActor,
  scopeId: string,
): Promise<Removed> {
  const head = await requireHead(transaction, scopeId)
  const removed = await eraseContent(transaction, scopeId)
  await endScope(transaction, scopeId, head.epoch)
  const { tenantId } = transaction
  const details = { epoch: head.epoch, ...toRemovedRecord(removed) }
  await recordAudit(transaction.connection, auditor, [
    { action: 'scope.deleted', who, tenantId, scopeId, details },
  ])
  return removed
}

async function requireHead(transaction: TenantTransaction, scopeId: string): Promise<ScopeHead> {
  const head = await lockScopeHead(transaction, scopeId)
  if (!head) throw new Fault('scope_not_found')
  return head
}

const NOTHING: Removed = {
  documents: 0,
  idempotencyRecords: 0,
  logEntries: 0,
  claims: 0,
  contradictions: 0,
}

function sum(a: Removed, b: Removed): Removed {
  return {
    documents: a.documents + b.documents,
    idempotencyRecords: a.idempotencyRecords + b.idempotencyRecords,
    logEntries: a.logEntries + b.logEntries,
    claims: a.claims + b.claims,
    contradictions: a.contradictions + b.contradictions,
  }
}

/** In the words of the contract, for whoever tells of it: the log, HTTP, the command line. */
export function toRemovedRecord(removed: Removed) {
  return {
    documents: removed.documents,
    claims: removed.claims,
    contradictions: removed.contradictions,
    idempotency_records: removed.idempotencyRecords,
    log_entries: removed.logEntries,
  }
}
