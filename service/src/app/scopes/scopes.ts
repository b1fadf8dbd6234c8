/** Creates, reads and lists scopes. */
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import { createDataKey, wrapDataKey } from '../../platform/sealing.ts'
import type { Pools } from '../../store/pools.ts'
import { insertScopeKey, selectScopeKey } from '../../store/scopes/scope-keys.ts'
import { appendEvents, insertScopeHead } from '../../store/scopes/scope-log.ts'
import { selectCountedScopes } from '../../store/scopes/scope-stats.ts'
import { insertScope, selectScope } from '../../store/scopes/scopes.ts'
import type { ScopeRow } from '../../store/scopes/scopes.ts'
import { inTenant } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { openScopeKeys, scopeKeyContext } from './scope-keys.ts'
import type { ScopeKeys } from './scope-keys.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import type { StoreResult } from '../stored-answers.ts'
import { decodeCursor, toPage } from '../pages.ts'
import type { Page, PageRequest } from '../pages.ts'
import { SCOPE_ID } from '../patterns.ts'
import { toCountedScope } from './scope-stats.ts'
import type { CountedScope } from './scope-stats.ts'
import { requireScope } from './required-scope.ts'
import { requireValid, writePolicy } from '../access/policies.ts'
import type { PolicyEngine } from '../access/policies.ts'

export type { ScopeRow }

export interface ScopesDeps {
  readonly pools: Pools
  readonly masterKeys: readonly MasterKeyBytes[]
  readonly auditor: Auditor
}

export interface NewScope {
  readonly scopeId: string
  readonly displayName: string | null
  /** The policy in Cedar. Undefined if the scope has none of its own. */
  readonly policy?: string | undefined
}

/** Creates the scope, its policy and its data key in one transaction. */
export async function createScope(
  deps: ScopesDeps & { readonly policyEngine: PolicyEngine },
  who: TenantCaller,
  { scopeId, displayName, policy }: NewScope,
  keep?: StoreResult<ScopeRow>,
): Promise<ScopeRow> {
  const { pools, masterKeys, auditor } = deps
  if (policy !== undefined) requireValid(deps, policy, '#/policy')
  return inTenant(pools.tenant, who.tenantId, async (transaction) => {
    const scope = await insertScope(transaction, { scopeId, displayName, createdBy: who.actor })
    if (!scope) throw new Fault('scope_exists')
    await insertScopeHead(transaction, scope.scopeId, scope.epoch)
    await appendEvents(transaction, { ...scope, head: 0 }, [
      { kind: 'scope.created', documentId: null, version: null, data: {} },
    ])
    await makeScopeKey(masterKeys, transaction, scope)
    const { tenantId } = who
    await recordAudit(transaction.connection, auditor, [
      { action: 'scope.created', who, tenantId, scopeId, details: { epoch: scope.epoch } },
    ])
    if (policy !== undefined) await writePolicy(deps, transaction, who, scopeId, policy)
    await keep?.(transaction, scopeId, scope)
    return scope
  })
}

/** Creates the scope if it does not exist. Concurrent calls are safe. */
export async function ensureScope(
  deps: ScopesDeps & { readonly policyEngine: PolicyEngine },
  who: TenantCaller,
  scopeId: string,
): Promise<void> {
  try {
    await createScope(deps, who, { scopeId, displayName: null })
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'scope_exists')) throw error
  }
}

/** Creates the data key of the new generation. */
export async function makeScopeKey(
  masterKeys: readonly MasterKeyBytes[],
  transaction: TenantTransaction,
  { scopeId, epoch }: { readonly scopeId: string; readonly epoch: number },
): Promise<void> {
  const context = scopeKeyContext({ tenantId: transaction.tenantId, scopeId, epoch })
  await insertScopeKey(transaction, scopeId, epoch, wrapDataKey(masterKeys, context, createDataKey()))
}

export async function getScope({ pools }: ScopesDeps, who: TenantCaller, scopeId: string): Promise<ScopeRow> {
  const scope = await inTenant(pools.tenant, who.tenantId, (transaction) => selectScope(transaction, scopeId))
  if (!scope) throw new Fault('scope_not_found')
  return scope
}

/** Lists scopes with their runtime state and their documents by status. */
export async function listScopes(
  { pools }: ScopesDeps,
  who: TenantCaller,
  request: PageRequest,
): Promise<Page<CountedScope>> {
  const [after] = decodeCursor(request.cursor, [SCOPE_ID]) ?? []
  const rows = await inTenant(pools.tenant, who.tenantId, (transaction) =>
    selectCountedScopes(transaction, after, request.limit + 1),
  )
  return toPage(rows, request.limit, toCountedScope, (row) => [row.scopeId])
}

export interface ScopeDataKey extends ScopeKeys {
  readonly epoch: number
}

/** Returns the data key of the scope's present generation. */
export async function openScopeDataKey(
  masterKeys: readonly MasterKeyBytes[],
  transaction: TenantTransaction,
  scopeId: string,
): Promise<ScopeDataKey> {
  const stored = await selectScopeKey(transaction, scopeId)
  if (!stored) {
    // The key of the new generation is created after the last row of the old one is deleted.
    await requireScope(transaction, scopeId)
    throw new Fault('scope_not_found')
  }
  const { epoch } = stored
  return { epoch, ...openScopeKeys(masterKeys, { tenantId: transaction.tenantId, scopeId, epoch }, stored) }
}
