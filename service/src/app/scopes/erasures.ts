/**
 * Erasing a scope in short transactions. The first one raises the epoch, destroys the data key and marks the head, so that nothing of the
 * scope can be read, written or started any more; it may be all there is to do. Otherwise the rows go in pieces, and the last transaction
 * makes the key of the new generation. Each begins by the row in `erasures`, so any API process can go on with it.
 */
import type { AuditActor } from '../../domain/audit.ts'
import { Fault } from '../../domain/fault.ts'
import type { MasterKeyBytes } from '../../platform/config.ts'
import * as store from '../../store/scopes/scope-erasure.ts'
import type { Erased, ErasurePosition } from '../../store/scopes/scope-erasure.ts'
import { endErasure, insertErasure, noteErased, turnIntoDeletion } from '../../store/scopes/erasures.ts'
import type { EndedErasure, ErasureKind, ErasurePlace } from '../../store/scopes/erasures.ts'
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
  /** Told after the commit which scope has something new. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
  /** Rows that one transaction deletes. */
  readonly pieceRows?: number
}

export interface Erasure {
  readonly epoch: number
  readonly erased: Erased
  /** The position of `scope.reset`; of a deleted scope the last position of its log. */
  readonly seq: number
}

/** Some fifty milliseconds' worth. */
const PIECE_ROWS = 5_000

/** Undefined where another process has ended it meanwhile. */
export async function eraseScope(
  deps: ErasureDeps,
  who: AuditActor,
  place: ErasurePlace,
  kind: ErasureKind,
): Promise<Erasure | undefined> {
  const { tenantId, scopeId } = place
  const progress = startProgress()
  const state = await inTenantScope(deps.pools.tenant, place, async (transaction) => {
    const head = await lockScopeHead(transaction, scopeId)
    if (!head) throw new Fault('scope_not_found')
    return advance(deps, transaction, await begin(transaction, who, head, kind), progress)
  })
  deps.announceEvents(tenantId, scopeId)
  return state === 'more' ? goOn(deps, place, progress) : state
}

/** Goes on with an erasure whose process has ended, until the signal is given: what is deleted by then stays deleted. */
export async function resumeErasure(
  deps: ErasureDeps,
  place: ErasurePlace,
  signal?: AbortSignal,
): Promise<Erasure | undefined> {
  return goOn(deps, place, startProgress(), signal)
}

async function goOn(
  deps: ErasureDeps,
  place: ErasurePlace,
  progress: Progress,
  signal?: AbortSignal,
): Promise<Erasure | undefined> {
  for (;;) {
    if (signal?.aborted) return undefined
    // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
    const state = await inTenantScope(deps.pools.tenant, place, async (transaction) => {
      const head = await lockScopeHead(transaction, place.scopeId)
      return head?.erasing ? advance(deps, transaction, head, progress) : undefined
    })
    if (state === 'more') continue
    deps.announceEvents(place.tenantId, place.scopeId)
    return state
  }
}

/** How far one process is; another one begins at the first table, where nothing is left. */
interface Progress {
  position: ErasurePosition
  /** Transactions that have deleted a piece. */
  pieces: number
  /** True once a piece may have left a row behind. */
  missed: boolean
}

const startProgress = (): Progress => ({ position: store.ERASURE_START, pieces: 0, missed: false })

/** Everything but the rows. */
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

/** One piece; after the last one also the end. Needs the head to be held. */
async function advance(
  { pieceRows = PIECE_ROWS, ...deps }: ErasureDeps,
  transaction: TenantTransaction,
  head: ScopeHead,
  progress: Progress,
): Promise<Erasure | 'more' | undefined> {
  const { scopeId } = head
  const { erased, missed, next } = await store.erasePiece(transaction, scopeId, progress.position, pieceRows)
  await noteErased(transaction, scopeId, erased)
  progress.pieces += 1
  progress.missed ||= missed
  if (next) {
    progress.position = next
    return 'more'
  }
  // A transaction that was begun before the head was marked may have written until then, behind the pieces; and a piece passes over what changes under it.
  if (progress.pieces > 1 || progress.missed)
    await noteErased(transaction, scopeId, await store.eraseRest(transaction, scopeId))
  const ended = await endErasure(transaction, scopeId)
  if (!ended) throw new Error('a scope is marked as being erased, and nobody erases it')
  const seq = ended.kind === 'reset' ? await endReset(deps, transaction, head, ended) : head.head
  if (ended.kind === 'delete') await endDeletion(deps, transaction, head, ended)
  return { epoch: ended.epoch, erased: ended.erased, seq }
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
  // The generation that the erasure began was never written into: the next scope of the same id may be that one.
  const last = epoch - 1
  await store.endScope(transaction, scopeId, last)
  const { tenantId } = transaction
  const details = { epoch: last, ...toRemovedRecord(erased) }
  await recordAudit(transaction.connection, auditor, [
    { action: 'scope.deleted', who, tenantId, scopeId, details },
  ])
}

/** In the words of the contract, for whoever tells of it: the log, HTTP, the command line. */
export function toRemovedRecord(erased: Erased) {
  return {
    documents: erased.documents,
    claims: erased.claims,
    contradictions: erased.contradictions,
    idempotency_records: erased.idempotencyRecords,
    log_entries: erased.logEntries,
  }
}
