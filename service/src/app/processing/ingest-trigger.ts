/** Queues attached documents (`triggerIngest`), and queues documents under the lock of their scope (`queue`). */
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import * as store from '../../store/documents/documents.ts'
import type { DocumentStatus } from '../../store/documents/documents.ts'
import { selectDocumentCounts } from '../../store/scopes/scope-stats.ts'
import type { StatusCounts } from '../../store/scopes/scope-stats.ts'
import { appendEvents } from '../../store/scopes/scope-log.ts'
import type { ScopeHead } from '../../store/scopes/scope-log.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { inScope } from '../scopes/scope-transaction.ts'
import type { ScopeWriteDeps } from '../scopes/scope-transaction.ts'

export interface QueueingDeps extends ScopeWriteDeps {
  /** Called after the commit with the number of queued documents and the log position of the first. */
  readonly noteQueued?: (who: TenantCaller, scopeId: string, firstSeq: number, count: number) => void
}

/** Statuses that do not count as already queued: attached documents are queued now, the others have no text to queue. */
const NEVER_QUEUED: ReadonlySet<string> = new Set(['attached', 'registered', 'removed'])

export interface TriggerResult {
  readonly queued: number
  readonly alreadyQueued: number
  readonly withoutText: number
  readonly firstSeq: number | null
  readonly lastSeq: number | null
}

function countStatuses(documents: readonly { readonly status: DocumentStatus }[]): StatusCounts {
  const counts: Partial<Record<DocumentStatus, number>> = {}
  for (const { status } of documents) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function sumOf(counts: StatusCounts, counted: (status: string) => boolean): number {
  return Object.entries(counts).reduce((sum, [status, count]) => (counted(status) ? sum + count : sum), 0)
}

/** Documents queued per transaction: few enough to end long before the statement timeout and to let other writers in between. */
const TRIGGER_PAGE = 2_000

function joinPages(before: TriggerResult, page: TriggerResult): TriggerResult {
  return {
    queued: before.queued + page.queued,
    // Counted before the first page, because later pages would count the documents that it queued.
    alreadyQueued: before.alreadyQueued,
    withoutText: before.withoutText,
    firstSeq: before.firstSeq ?? page.firstSeq,
    lastSeq: page.lastSeq ?? before.lastSeq,
  }
}

/**
 * Queues attached documents and leaves all others unchanged. For a whole scope, each page is a transaction of its own: documents stay
 * queued if a later page fails, and the next trigger queues the rest.
 */
export async function triggerIngest(
  deps: QueueingDeps,
  who: TenantCaller,
  scopeId: string,
  documentIds: readonly string[] | undefined,
  pageSize: number = TRIGGER_PAGE,
): Promise<TriggerResult> {
  if (documentIds) {
    const { lastId: _, ...named } = await triggerPage(deps, who, scopeId, { documentIds })
    return named
  }
  let triggered: TriggerResult | undefined
  let after = ''
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
    const paged = await triggerPage(deps, who, scopeId, { status: 'attached', after, limit: pageSize })
    const { lastId, ...page } = paged
    triggered = triggered ? joinPages(triggered, page) : page
    if (page.queued < pageSize || lastId === undefined) return triggered
    after = lastId
  }
}

async function triggerPage(
  deps: QueueingDeps,
  who: TenantCaller,
  scopeId: string,
  selection: store.TriggerSelection,
): Promise<TriggerResult & { readonly lastId: string | undefined }> {
  const triggered = await inScope(deps, who, scopeId, async (transaction, head) => {
    const found = await store.selectForTrigger(transaction, scopeId, selection)
    const { documentIds } = selection
    if (documentIds && found.length < new Set(documentIds).size) throw new Fault('document_not_found')
    const counts = documentIds ? countStatuses(found) : await selectDocumentCounts(transaction, scopeId)
    const attached = found.filter(({ status }) => status === 'attached')
    const queued = await queue(transaction, head, attached)
    return {
      queued: queued.length,
      alreadyQueued: sumOf(counts, (status) => !NEVER_QUEUED.has(status)),
      withoutText: sumOf(counts, (status) => status === 'registered'),
      firstSeq: queued[0]?.seq ?? null,
      lastSeq: queued.at(-1)?.seq ?? null,
      lastId: queued.at(-1)?.documentId,
    }
  })
  const { firstSeq, queued } = triggered
  if (firstSeq !== null) deps.noteQueued?.(who, scopeId, firstSeq, queued)
  return triggered
}

/** Queues documents and sets their status. The caller must hold the lock of the scope's head. */
export async function queue(
  transaction: TenantTransaction,
  head: ScopeHead,
  documents: readonly { readonly documentId: string; readonly version: number }[],
): Promise<store.QueuedDocument[]> {
  if (documents.length === 0) return []
  const queued = documents.map(({ documentId, version }, index) => ({
    documentId,
    version,
    seq: head.head + index + 1,
  }))
  await store.queueDocuments(transaction, head.scopeId, head.epoch, queued)
  await appendEvents(
    transaction,
    head,
    documents.map(({ documentId, version }) => ({ kind: 'document.queued', documentId, version, data: {} })),
  )
  return queued
}
