/**
 * Rereads documents of a scope: a tenant requests it, and workers queue a few documents at a time until all selected ones
 * were queued. A document keeps its claims until it is read again, and contradictions between facts that are still stated stay.
 */
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { ReaderIdentity } from '../../domain/reading-report.ts'
import type { Pools } from '../../store/pools.ts'
import * as store from '../../store/processing/rereads.ts'
import type { RereadRef, RereadRow, RereadSelection } from '../../store/processing/rereads.ts'
import { lockScopeHead } from '../../store/scopes/scope-log.ts'
import { inTenant } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { StoreResult } from '../stored-answers.ts'
import { queue } from './ingest-trigger.ts'
import { requireScope } from '../scopes/required-scope.ts'
import { inScope, storingResult } from '../scopes/scope-transaction.ts'
import type { ScopeWork, ScopeWriteDeps } from '../scopes/scope-transaction.ts'

export type { RereadRef, RereadRow, RereadSelection }

/** Starts a reread. While one is running, the same request changes nothing and a different one is refused. */
export async function requestReread(
  deps: ScopeWriteDeps,
  who: TenantCaller,
  scopeId: string,
  selection: RereadSelection,
  keep?: StoreResult<RereadRow>,
): Promise<RereadRow> {
  const wanted = { ...selection, documentIds: selection.documentIds && sortedOnce(selection.documentIds) }
  const work: ScopeWork<RereadRow> = async (transaction, { epoch }) => {
    const running = await store.selectReread(transaction, scopeId)
    if (running?.state === 'running') {
      if (isSame(running, wanted)) return running
      throw new Fault('illegal_transition', { internal: 'another reread of the scope is running' })
    }
    await requireDocuments(transaction, scopeId, wanted.documentIds)
    await store.putReread(transaction, scopeId, wanted)
    const details = {
      epoch,
      named_documents: wanted.documentIds?.length ?? null,
      names_reader: wanted.readBy !== null,
    }
    await recordAudit(transaction.connection, deps.auditor, [
      { action: 'scope.reread', who, tenantId: who.tenantId, scopeId, details },
    ])
    const begun = await store.selectReread(transaction, scopeId)
    if (!begun) throw new Error('a reread that was stored is not there')
    return begun
  }
  return inScope(deps, who, scopeId, storingResult(keep, work))
}

const sortedOnce = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted()

function isSame(running: RereadSelection, wanted: RereadSelection): boolean {
  return (
    running.readBy === wanted.readBy &&
    JSON.stringify(running.documentIds) === JSON.stringify(wanted.documentIds)
  )
}

async function requireDocuments(
  transaction: TenantTransaction,
  scopeId: string,
  documentIds: readonly string[] | null,
): Promise<void> {
  if (!documentIds) return
  const found = await store.countDocuments(transaction, scopeId, documentIds)
  if (found < documentIds.length) throw new Fault('document_not_found')
}

/** Returns the latest reread of the scope, or undefined if there was none. */
export async function getReread(
  { pools }: Pick<ScopeWriteDeps, 'pools'>,
  who: TenantCaller,
  scopeId: string,
): Promise<RereadRow | undefined> {
  return inTenant(pools.tenant, who.tenantId, async (transaction) => {
    await requireScope(transaction, scopeId)
    return store.selectReread(transaction, scopeId)
  })
}

export interface RereadDeps {
  /** Runs as the worker role. */
  readonly pools: Pools
  /** The reader by which this worker reads. */
  readonly today: ReaderIdentity
  /** Called after the commit with the scope that has new events. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
}

/** Documents of one reread that are in the queue or being read at a time. New documents wait behind no more than these. */
const WINDOW = 100
/** Documents checked in one transaction. */
const PAGE = 1_000
const AGAIN_MS = 1_000

export async function findDueRereads({ pools }: RereadDeps, most: number): Promise<RereadRef[]> {
  return store.selectDueRereads(pools.kernel, most)
}

/** The result of one step. `gone`: the reread has ended, or another worker has just advanced it. */
export type RereadStep = 'gone' | 'waiting' | 'queued' | 'ended'

export async function advanceReread(deps: RereadDeps, ref: RereadRef): Promise<RereadStep> {
  const step = await inTenant(deps.pools.tenant, ref.tenantId, (transaction) =>
    advanceIn(transaction, ref.scopeId, deps.today),
  )
  if (step === 'queued') deps.announceEvents(ref.tenantId, ref.scopeId)
  return step
}

async function advanceIn(
  transaction: TenantTransaction,
  scopeId: string,
  today: ReaderIdentity,
): Promise<RereadStep> {
  const head = await lockScopeHead(transaction, scopeId)
  const row = head && (await store.selectDueReread(transaction, scopeId))
  if (!row) return 'gone'
  const underWay = await store.selectUnderWay(transaction, scopeId, row.underWay)
  const room = WINDOW - underWay.length
  // Waits until half of the window is free, to avoid many small transactions.
  if (room < WINDOW / 2) {
    await store.updateReread(transaction, scopeId, { ...row, underWay, ...NOTHING_QUEUED })
    return 'waiting'
  }
  const page = await store.selectRereadCandidates(transaction, scopeId, row, today, PAGE)
  const selected = page.filter((each) => each.selected).slice(0, room)
  await queue(transaction, head, selected)
  const isCut = selected.length === room
  const lookedTo = (isCut ? selected : page).at(-1)?.documentId ?? row.lookedTo
  const isAtEnd = !isCut && page.length < PAGE
  const isEnded = isAtEnd && underWay.length + selected.length === 0
  const now = [...underWay, ...selected.map(({ documentId }) => documentId)]
  const progress = { lookedTo, underWay: now, queued: selected.length, isEnded }
  await store.updateReread(transaction, scopeId, { ...progress, afterMs: isAtEnd || isCut ? AGAIN_MS : 0 })
  if (isEnded) return 'ended'
  return selected.length > 0 ? 'queued' : 'waiting'
}

const NOTHING_QUEUED = { queued: 0, isEnded: false, afterMs: AGAIN_MS }
