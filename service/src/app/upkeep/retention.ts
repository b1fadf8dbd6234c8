/**
 * Deletes expired data and folds changes, in bounded batches of short transactions, one tenant each. The position is stored, so another
 * dispatcher continues where one has stopped.
 */
import { passIntervalSeconds } from '../../domain/retention.ts'
import type { RemovedTable, RetentionSettings, Walk } from '../../domain/retention.ts'
import type { Pools } from '../../store/pools.ts'
import * as store from '../../store/upkeep/retention.ts'
import type { SweepPosition } from '../../store/upkeep/retention.ts'
import { inService, inTenant } from '../../store/transaction.ts'
import { foldMoves } from './scope-moves.ts'

export interface RetentionDeps {
  /** The pools of the dispatcher. Rows are deleted as concord_worker, in a transaction of their tenant. */
  readonly pools: Pick<Pools, 'kernel' | 'tenant'>
  readonly settings: RetentionSettings
  readonly holder: string
}

export type RemovedRows = Record<RemovedTable, number>

export interface Retention {
  readonly removed: Readonly<RemovedRows>
  /** Does one step. Returns true if the pass is not complete. */
  sweep(walk: Walk): Promise<boolean>
  release(): Promise<void>
}

const LEASE_SECONDS = 30
/** The dispatcher pauses between two steps, so that a long pass uses only a part of a connection. */
const STEP_MS = 100
const SCOPES = 50
const DOCUMENTS = 100
const LIMIT = 1_000

/** Returns the position after a batch, or null at the end of the pass. */
type Piece = (position: SweepPosition | null) => Promise<SweepPosition | null>

export function createRetention(deps: RetentionDeps): Retention {
  const { pools, settings, holder } = deps
  const removed: RemovedRows = { idempotency_keys: 0, document_versions: 0, scope_log: 0, kernel_log: 0 }
  const pieces: Readonly<Record<Walk, Piece>> = {
    scopes: (position) => sweepScopes(deps, removed, position),
    documents: (position) => sweepDocuments(deps, removed, position),
    moves: (position) => foldMoves(pools, position),
  }
  return {
    removed,
    async sweep(walk) {
      const intervalSeconds = passIntervalSeconds(settings, walk)
      // @point retention.sweep
      const lease = await store.leaseSweep(
        pools.kernel,
        { walk, holder },
        { leaseSeconds: LEASE_SECONDS, intervalSeconds },
      )
      if (!lease) return false
      const until = performance.now() + STEP_MS
      let { position } = lease
      do {
        // oxlint-disable-next-line no-await-in-loop -- each piece goes on behind the one before
        position = await pieces[walk](position)
      } while (position !== null && performance.now() < until)
      await store.saveSweep(pools.kernel, { walk, holder }, position)
      return position !== null
    },
    release: () => store.releaseSweeps(pools.kernel, holder),
  }
}

/** Handles a page of scopes. If a statement reached its limit, the same page comes again. */
async function sweepScopes(
  { pools, settings }: RetentionDeps,
  removed: RemovedRows,
  position: SweepPosition | null,
): Promise<SweepPosition | null> {
  const scopes = await store.selectScopesAfter(pools.kernel, position, SCOPES)
  let reachedLimit = false
  const count = (table: RemovedTable, rows: number): void => {
    removed[table] += rows
    if (rows >= LIMIT) reachedLimit = true
  }
  for (const [tenantId, ofTenant] of Map.groupBy(scopes, (each) => each.tenantId)) {
    const scopeIds = ofTenant.map(({ scopeId }) => scopeId)
    // oxlint-disable-next-line no-await-in-loop -- one short transaction after the other
    await inTenant(pools.tenant, tenantId, async (transaction) => {
      await store.beginRemoval(transaction.connection)
      count('idempotency_keys', await store.deleteDueKeys(transaction, scopeIds, settings.keysSeconds, LIMIT))
      if (settings.eventsSeconds === undefined) return
      count('scope_log', await store.deleteDueEvents(transaction, scopeIds, settings.eventsSeconds, LIMIT))
    })
  }
  if (reachedLimit) return position ?? FIRST
  if (scopes.length === SCOPES) return scopes.at(-1) ?? null
  return (await sweepKernelLog({ pools, settings }, removed)) ? (scopes.at(-1) ?? position ?? FIRST) : null
}

/** The position before every scope, at the start of a pass. */
const FIRST: SweepPosition = {
  tenantId: '00000000-0000-0000-0000-000000000000',
  scopeId: '',
  documentId: null,
}

/** Returns true if more is due. */
async function sweepKernelLog(
  { pools, settings: { eventsSeconds } }: Pick<RetentionDeps, 'pools' | 'settings'>,
  removed: RemovedRows,
): Promise<boolean> {
  if (eventsSeconds === undefined) return false
  const rows = await inService(pools.tenant, (connection) =>
    store.deleteDueKernelEvents(connection, eventsSeconds, LIMIT),
  )
  removed.kernel_log += rows
  return rows >= LIMIT
}

async function sweepDocuments(
  { pools, settings: { versionsSeconds } }: RetentionDeps,
  removed: RemovedRows,
  position: SweepPosition | null,
): Promise<SweepPosition | null> {
  if (versionsSeconds === undefined) return null
  const scope = position?.documentId ? position : await nextScope(pools, position)
  if (!scope) return null
  const piece = await inTenant(pools.tenant, scope.tenantId, async (transaction) => {
    await store.beginRemoval(transaction.connection)
    return store.deleteDueVersions(transaction, scope, versionsSeconds, {
      documents: DOCUMENTS,
      limit: LIMIT,
    })
  })
  removed.document_versions += piece.removed
  if (piece.removed >= LIMIT) return position ?? FIRST
  // The scope is complete when no document follows.
  return { ...scope, documentId: piece.lastDocumentId }
}

async function nextScope(
  { kernel }: Pick<Pools, 'kernel'>,
  position: SweepPosition | null,
): Promise<SweepPosition | undefined> {
  const [next] = await store.selectScopesAfter(kernel, position, 1)
  return next
}
