/** Removes or retries several documents of a scope in one request. Each document has an outcome of its own. */
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import * as store from '../../store/documents/documents.ts'
import type { TriggerCandidate } from '../../store/documents/documents.ts'
import { recordAudit } from '../audit/audit.ts'
import { documentAudit, removeDocument } from './documents.ts'
import type { DocumentsDeps, RemovalResult } from './documents.ts'
import { queue } from '../processing/ingest-trigger.ts'
import { inScope } from '../scopes/scope-transaction.ts'

export interface BulkOutcome<Done> {
  readonly documentId: string
  /** The error says why the document was refused. */
  readonly result: { readonly done: Done } | { readonly error: unknown }
}

/** No further removal starts when less time than this is left. It is about the longest that one removal takes. */
const MARGIN_MS = 1_000

/** Removes the documents one after the other, each in its own transaction. Documents that no time is left for get an error; send them again. */
export async function removeDocuments(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  { documentIds, answerBy }: { readonly documentIds: readonly string[]; readonly answerBy: number },
): Promise<BulkOutcome<RemovalResult>[]> {
  const outcomes: BulkOutcome<RemovalResult>[] = []
  for (const documentId of new Set(documentIds)) {
    const isLate = performance.now() > answerBy - MARGIN_MS
    const result = isLate
      ? { error: new Fault('unavailable', { internal: 'no time was left for this removal' }) }
      : // oxlint-disable-next-line no-await-in-loop -- each of them locks the scope
        await removeOne(deps, who, scopeId, documentId)
    outcomes.push({ documentId, result })
  }
  return outcomes
}

async function removeOne(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  documentId: string,
): Promise<BulkOutcome<RemovalResult>['result']> {
  try {
    return { done: await removeDocument(deps, who, scopeId, documentId) }
  } catch (error) {
    // A missing scope concerns the whole request.
    if (error instanceof Fault && error.code === 'scope_not_found') throw error
    return { error }
  }
}

/** Selects documents by id, or the next page of documents in a status. */
export type RetrySelection =
  | { readonly documentIds: readonly string[] }
  | {
      readonly documentIds?: undefined
      readonly status: 'failed' | 'held'
      /** Selects only documents after this id. */
      readonly after: string | undefined
    }

export interface BulkRetry {
  readonly version: number
  readonly seq: number
}

export interface RetryBatch {
  readonly outcomes: readonly BulkOutcome<BulkRetry>[]
  /** The last id of this page. Null if the ids were given, and after the last page. */
  readonly nextAfter: string | null
}

const PAGE = 100

/** Queues all documents of the selection again, in one transaction. */
export async function retryDocuments(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  selection: RetrySelection,
): Promise<RetryBatch> {
  const retries = await inScope(deps, who, scopeId, async (transaction, head): Promise<RetryBatch> => {
    const { found, nextAfter } = await select(transaction, scopeId, selection)
    const known = new Map(found.map((each) => [each.documentId, each]))
    const named = selection.documentIds ?? found.map(({ documentId }) => documentId)
    const failed = found.filter(({ status }) => status === 'failed' || status === 'held')
    const queued = await queue(transaction, head, failed)
    const entries = queued.map((each) => documentAudit(deps, who, 'document.retried', head, each))
    await recordAudit(transaction.connection, deps.auditor, entries)
    const done = new Map(queued.map((each) => [each.documentId, each]))
    const outcomes = [...new Set(named)].map((documentId): BulkOutcome<BulkRetry> => {
      const retry = done.get(documentId)
      return { documentId, result: retry ? { done: retry } : { error: refusalOf(known.get(documentId)) } }
    })
    return { outcomes, nextAfter }
  })
  const seqs = retries.outcomes.flatMap(({ result }) => ('done' in result ? [result.done.seq] : []))
  if (seqs.length > 0) deps.noteQueued?.(who, scopeId, Math.min(...seqs), seqs.length)
  return retries
}

async function select(
  transaction: Parameters<typeof store.selectForTrigger>[0],
  scopeId: string,
  selection: RetrySelection,
): Promise<{ readonly found: readonly TriggerCandidate[]; readonly nextAfter: string | null }> {
  if (selection.documentIds)
    return { found: await store.selectForTrigger(transaction, scopeId, selection), nextAfter: null }
  const { status, after = '' } = selection
  const rows = await store.selectForTrigger(transaction, scopeId, { status, after, limit: PAGE + 1 })
  const found = rows.slice(0, PAGE)
  const last = found.at(-1)
  return { found, nextAfter: rows.length > PAGE && last ? last.documentId : null }
}

function refusalOf(document: TriggerCandidate | undefined): Fault {
  return new Fault(!document || document.status === 'removed' ? 'document_not_found' : 'illegal_transition')
}
