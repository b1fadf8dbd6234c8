/**
 * Resets and deletes scopes and deletes tenants: all content is deleted, and so is the key that could decrypt copies of it. Work in
 * flight has the old generation and no effect.
 */
import type { Caller, TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import { addErased, endTenant, NOTHING_ERASED } from '../../store/scopes/scope-erasure.ts'
import type { ErasureCounts } from '../../store/scopes/scope-erasure.ts'
import { selectLog } from '../../store/scopes/scope-log.ts'
import { selectScopes } from '../../store/scopes/scopes.ts'
import { inTenant } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import { eraseScope, toRemovedRecord } from './erasures.ts'
import type { ErasureDeps } from './erasures.ts'
import { requireScope } from './required-scope.ts'

export { toRemovedRecord }
export type { ErasureDeps }

export async function resetScope(
  deps: ErasureDeps,
  who: TenantCaller,
  scopeId: string,
): Promise<{ readonly epoch: number; readonly removed: ErasureCounts; readonly seq: number }> {
  const { tenantId } = who
  const erasure = await eraseScope(deps, who, { tenantId, scopeId }, 'reset')
  if (erasure?.kind === 'delete') throw new Fault('scope_not_found')
  if (erasure) return { epoch: erasure.epoch, removed: erasure.erased, seq: erasure.seq }
  return readReset(deps, who, scopeId)
}

/** Another process has completed the same reset; the log has its event. */
async function readReset({ pools }: ErasureDeps, { tenantId }: TenantCaller, scopeId: string) {
  return inTenant(pools.tenant, tenantId, async (transaction) => {
    await requireScope(transaction, scopeId)
    // A reset deletes all earlier entries.
    const [entry] = await selectLog(transaction, scopeId, 0, 1)
    if (entry?.kind !== 'scope.reset')
      throw new Fault('unavailable', { internal: 'the reset was ended elsewhere' })
    return { epoch: entry.epoch, removed: fromRemovedRecord(entry.data['removed']), seq: entry.seq }
  })
}

function fromRemovedRecord(record: unknown): ErasureCounts {
  const counts = new Map(Object.entries(record ?? {}))
  const countOf = (name: string) => Number(counts.get(name) ?? 0)
  return {
    documents: countOf('documents'),
    claims: countOf('claims'),
    contradictions: countOf('contradictions'),
    idempotencyRecords: countOf('idempotency_records'),
    logEntries: countOf('log_entries'),
  }
}

export async function deleteScope(
  deps: ErasureDeps,
  who: TenantCaller,
  scopeId: string,
): Promise<{ readonly removed: ErasureCounts }> {
  const erasure = await eraseScope(deps, who, { tenantId: who.tenantId, scopeId }, 'delete')
  if (!erasure) throw new Fault('scope_not_found')
  return { removed: erasure.erased }
}

/** The maximum number of rounds. Scopes may be created while the last ones are deleted. */
const MAX_ROUNDS = 10

/** Deletes the scopes one by one, so that no transaction is long, and then the tenant with its keys. */
export async function deleteTenant(
  deps: ErasureDeps,
  who: Caller,
  tenantId: string,
): Promise<{ readonly scopes: number; readonly removed: ErasureCounts }> {
  let scopes = 0
  let removed = NOTHING_ERASED
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- once more where a scope was made meanwhile
    const more = await deleteScopes(deps, who, tenantId)
    scopes += more.scopes
    removed = addErased(removed, more.removed)
    // oxlint-disable-next-line no-await-in-loop -- once more where a scope was made meanwhile
    if (await endTenantOf(deps, who, tenantId, { scopes, removed })) return { scopes, removed }
  }
  throw new Fault('unavailable', { internal: 'scopes of the tenant were made again and again' })
}

interface DeletedScopes {
  readonly scopes: number
  readonly removed: ErasureCounts
}

async function deleteScopes(deps: ErasureDeps, who: Caller, tenantId: string): Promise<DeletedScopes> {
  let scopes = 0
  let removed = NOTHING_ERASED
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const page = await inTenant(deps.pools.tenant, tenantId, (transaction) =>
      selectScopes(transaction, undefined, PAGE),
    )
    for (const { scopeId } of page) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
      const erasure = await eraseScope(deps, who, { tenantId, scopeId }, 'delete')
      if (erasure) removed = addErased(removed, erasure.erased)
      scopes += 1
    }
    if (page.length < PAGE) return { scopes, removed }
  }
}

const PAGE = 100

/** Returns false and deletes nothing if a scope was created after the last one was deleted. */
async function endTenantOf(
  { pools, auditor }: ErasureDeps,
  who: Caller,
  tenantId: string,
  { scopes, removed }: DeletedScopes,
): Promise<boolean> {
  return inTenant(pools.tenant, tenantId, async (transaction) => {
    const outcome = await endTenant(transaction)
    if (outcome === 'scopes_left') return false
    if (outcome === 'not_found') throw new Fault('tenant_not_found')
    const details = { scopes, ...toRemovedRecord(removed) }
    await recordAudit(transaction.connection, auditor, [
      { action: 'tenant.deleted', who, tenantId, subject: tenantId, details },
    ])
    return true
  })
}
