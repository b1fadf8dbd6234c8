/**
 * Erases a scope in short transactions. The first one raises the epoch, destroys the data key and marks the head, so that nothing of the
 * scope can be read, written or started any more. A small scope is erased in it completely. Otherwise the rows are deleted in batches,
 * and the last transaction creates the key of the new generation. Progress is in `erasures`, so any API process can continue.
 */
import type { AuditActor } from '../../domain/audit.ts'
import { Fault } from '../../domain/fault.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import * as store from '../../store/scopes/scope-erasure.ts'
import type { ErasureCounts, ErasurePosition } from '../../store/scopes/scope-erasure.ts'
import { endErasure, insertErasure, recordErased, turnIntoDeletion } from '../../store/scopes/erasures.ts'
import type { EndedErasure, ErasureKind, ErasureRef } from '../../store/scopes/erasures.ts'
import type { Pools } from '../../store/pools.ts'
import { appendEvents, lockScopeHead } from '../../store/scopes/scope-log.ts'
import type { ScopeHead } from '../../store/scopes/scope-log.ts'
import { inTenantScope } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import { makeScopeKey } from './scopes.ts'

export interface ErasureDeps {
  readonly pools: Pools
  readonly masterKeys: readonly MasterKeyBytes[]
  readonly auditor: Auditor
  /** Called after the commit with the scope that has new events. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
  /** The number of rows that one transaction deletes. */
  readonly pieceRows?: number
}

export interface Erasure {
  /** The kind that ended. A reset that joins a deletion in progress ends as a deletion. */
  readonly kind: ErasureKind
  readonly epoch: number
  readonly erased: ErasureCounts
  /** The position of the `scope.reset` event, or the last position of the log of a deleted scope. */
  readonly seq: number
}

/** Takes about fifty milliseconds. */
const PIECE_ROWS = 5_000

/** Returns undefined if another process has completed the erasure meanwhile. */
export async function eraseScope(
  deps: ErasureDeps,
  who: AuditActor,
  ref: ErasureRef,
  kind: ErasureKind,
): Promise<Erasure | undefined> {
  const { tenantId, scopeId } = ref
  const progress = startProgress()
  const state = await inTenantScope(deps.pools.tenant, ref, async (transaction) => {
    const head = await lockScopeHead(transaction, scopeId)
    if (!head) throw new Fault('scope_not_found')
    return advance(deps, transaction, await begin(transaction, who, head, kind), progress)
  })
  deps.announceEvents(tenantId, scopeId)
  return state === 'more' ? goOn(deps, ref, progress) : state
}

/** Continues the erasure of a process that has stopped, until the signal aborts. Deleted rows stay deleted. */
export async function resumeErasure(
  deps: ErasureDeps,
  ref: ErasureRef,
  signal?: AbortSignal,
): Promise<Erasure | undefined> {
  return goOn(deps, ref, startProgress(), signal)
}

async function goOn(
  deps: ErasureDeps,
  ref: ErasureRef,
  progress: Progress,
  signal?: AbortSignal,
): Promise<Erasure | undefined> {
  for (;;) {
    if (signal?.aborted) return undefined
    // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
    const state = await inTenantScope(deps.pools.tenant, ref, async (transaction) => {
      const head = await lockScopeHead(transaction, ref.scopeId)
      return head?.erasing ? advance(deps, transaction, head, progress) : undefined
    })
    if (state === 'more') continue
    deps.announceEvents(ref.tenantId, ref.scopeId)
    return state
  }
}

/** The progress of one process. Another process starts at the first table and finds nothing left there. */
interface Progress {
  position: ErasurePosition
  /** The number of transactions that have deleted a batch. */
  pieces: number
  /** True once a batch may have left a row behind. */
  missed: boolean
}

const startProgress = (): Progress => ({ position: store.ERASURE_START, pieces: 0, missed: false })

/** Does everything except deleting the rows. */
async function begin(
  transaction: TenantTransaction,
  who: AuditActor,
  head: ScopeHead,
  kind: ErasureKind,
): Promise<ScopeHead> {
  const { scopeId } = head
  if (head.erasing) {
    if (kind === 'delete') await turnIntoDeletion(transaction, scopeId, who)
    return head
  }
  const epoch = head.epoch + 1
  await store.beginErasing(transaction, scopeId, epoch)
  await insertErasure(transaction, { scopeId, kind, epoch, who })
  await store.eraseCounts(transaction, scopeId)
  return { ...head, epoch, erasing: true }
}

/** Deletes one batch, and completes the erasure after the last one. The caller must hold the lock of the head. */
async function advance(
  { pieceRows = PIECE_ROWS, ...deps }: ErasureDeps,
  transaction: TenantTransaction,
  head: ScopeHead,
  progress: Progress,
): Promise<Erasure | 'more' | undefined> {
  const { scopeId } = head
  const { erased, missed, next } = await store.erasePiece(transaction, scopeId, progress.position, pieceRows)
  await recordErased(transaction, scopeId, erased)
  progress.pieces += 1
  progress.missed ||= missed
  if (next) {
    progress.position = next
    return 'more'
  }
  // A transaction that was begun before the head was marked may have written until then, behind the pieces; and a piece
  // passes over what changes under it.
  if (progress.pieces > 1 || progress.missed)
    await recordErased(transaction, scopeId, await store.eraseRest(transaction, scopeId))
  const ended = await endErasure(transaction, scopeId)
  if (!ended) throw new Error('a scope is marked as being erased, and nobody erases it')
  const seq = ended.kind === 'reset' ? await endReset(deps, transaction, head, ended) : head.head
  if (ended.kind === 'delete') await endDeletion(deps, transaction, head, ended)
  return { kind: ended.kind, epoch: ended.epoch, erased: ended.erased, seq }
}

async function endReset(
  { masterKeys, auditor }: ErasureDeps,
  transaction: TenantTransaction,
  head: ScopeHead,
  { who, epoch, erased }: EndedErasure,
): Promise<number> {
  const { scopeId } = head
  await store.endErasing(transaction, scopeId, epoch)
  await makeScopeKey(masterKeys, transaction, { scopeId, epoch })
  const removed = toRemovedRecord(erased)
  const seq = await appendEvents(transaction, head, [
    { kind: 'scope.reset', documentId: null, version: null, data: { removed } },
  ])
  const { tenantId } = transaction
  await recordAudit(transaction.connection, auditor, [
    { action: 'scope.reset', who, tenantId, scopeId, details: { epoch, seq, ...removed } },
  ])
  return seq
}

async function endDeletion(
  { auditor }: ErasureDeps,
  transaction: TenantTransaction,
  { scopeId }: ScopeHead,
  { who, epoch, erased }: EndedErasure,
): Promise<void> {
  // Nothing was written in the generation of the erasure, so the next scope with this id may use it.
  const last = epoch - 1
  await store.endScope(transaction, scopeId, last)
  const { tenantId } = transaction
  const details = { epoch: last, ...toRemovedRecord(erased) }
  await recordAudit(transaction.connection, auditor, [
    { action: 'scope.deleted', who, tenantId, scopeId, details },
  ])
}

/** Maps to the words of the contract, for the log, HTTP and the command line. */
export function toRemovedRecord(erased: ErasureCounts) {
  return {
    documents: erased.documents,
    claims: erased.claims,
    contradictions: erased.contradictions,
    idempotency_records: erased.idempotencyRecords,
    log_entries: erased.logEntries,
  }
}
