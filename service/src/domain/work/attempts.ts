/** Starts and completes attempts. Ticket, attempt and epoch are the fencing token. */
import { mayRun, putBack } from './switches.ts'
import { append, eventOf, unchanged, withEntry, without, withVersion } from './tables.ts'
import type { Change, DocumentRow, DocumentRef, Rule, Tables, WorkVerdict, WorkRow } from './tables.ts'

interface StartRequest {
  readonly ref: DocumentRef
  readonly ticket: number
  readonly maxStarts: number
}

type StartResult =
  | { readonly outcome: 'claimed'; readonly attempt: number }
  | { readonly outcome: 'stale' | 'exhausted' | 'paused' }

export interface CompleteRequest {
  readonly ref: DocumentRef
  readonly ticket: number
  readonly attempt: number
  readonly verdict: WorkVerdict
  readonly reason: string | null
}

export type CompleteAnswer = 'settled' | 'stale'

/** Counts the attempt before it starts, so that an attempt that crashes its process is counted too. */
export const start: Rule<StartRequest, StartResult> = (tables, at, { ref, ticket, maxStarts }) => {
  const { row, document } = findCurrent(tables, ref)
  if (!row || !document || row.ticket !== ticket || row.state === 'queued')
    return unchanged(tables, { outcome: 'stale' })
  if (!mayRun(tables, ref))
    return { tables: putBack(tables, at, row, document), answer: { outcome: 'paused' }, entries: [] }
  if (row.attempt >= maxStarts) return fail(tables, row, document)
  const attempt = row.attempt + 1
  const { scopes, entries } = append(tables, ref.scopeKey, [eventOf('document.processing', row)])
  const started: WorkRow = { ...row, state: 'processing', attempt, touchedAt: at }
  const work = withEntry(tables.work, ref.key, started)
  const documents = withEntry(tables.documents, ref.key, {
    ...withStatus(document, row, 'processing'),
    attempt,
  })
  return { tables: { ...tables, scopes, documents, work }, answer: { outcome: 'claimed', attempt }, entries }
}

/** The worker of the last allowed attempt was lost without a result. */
function fail(tables: Tables, row: WorkRow, document: DocumentRow): Change<StartResult> {
  const failed = { ...withStatus(document, row, 'failed'), error: document.error ?? 'worker_lost' }
  return end(tables, failed, { outcome: 'exhausted' }, [eventOf('document.failed', row)])
}

export const complete: Rule<CompleteRequest, CompleteAnswer> = (tables, at, request) => {
  const { ref, ticket, attempt } = request
  const { row, document } = findCurrent(tables, ref)
  if (!row || !document || row.ticket !== ticket || row.attempt !== attempt || row.state !== 'processing')
    return unchanged(tables, 'stale')
  return writeResult(tables, at, row, document, request)
}

/** Writes a result that passed the fence. A reading replaces the older one. */
export function writeResult(
  tables: Tables,
  at: number,
  row: WorkRow,
  document: DocumentRow,
  { verdict, reason }: Pick<CompleteRequest, 'verdict' | 'reason'>,
): Change<CompleteAnswer> {
  const { key } = row.ref
  if (verdict === 'retry') {
    const work = withEntry<WorkRow>(tables.work, key, { ...row, state: 'ready', touchedAt: at })
    const documents = withEntry(tables.documents, key, {
      ...withStatus(document, row, 'queued'),
      error: reason,
    })
    return { tables: { ...tables, documents, work }, answer: 'settled', entries: [] }
  }
  const now = { ...withStatus(document, row, verdict), error: reason }
  if (verdict !== 'processed') return end(tables, now, 'settled', [eventOf(`document.${verdict}`, row)])
  const old = document.readings.find((version) => version < row.version)
  const readings = [...document.readings.filter((version) => version !== old), row.version]
  const processed = eventOf('document.processed', row)
  if (old === undefined) return end(tables, { ...now, readings }, 'settled', [processed])
  const versions = withVersion(now.versions, old, 'superseded')
  const superseded = eventOf('document.superseded', { ...row, version: old })
  return end(tables, { ...now, readings, versions }, 'settled', [superseded, processed])
}

/** Writes the final status of the document and deletes its work row. */
function end<Answer>(
  tables: Tables,
  document: DocumentRow,
  answer: Answer,
  events: readonly ReturnType<typeof eventOf>[],
): Change<Answer> {
  const { key, scopeKey } = document.ref
  const { scopes, entries } = append(tables, scopeKey, events)
  const documents = withEntry(tables.documents, key, document)
  return { tables: { ...tables, scopes, documents, work: without(tables.work, key) }, answer, entries }
}

function withStatus(document: DocumentRow, { version }: WorkRow, status: DocumentRow['status']): DocumentRow {
  return { ...document, status, versions: withVersion(document.versions, version, status) }
}

/** Returns the work row, unless it is of an earlier epoch, and its document. */
function findCurrent(tables: Tables, { key, scopeKey }: DocumentRef) {
  const row = tables.work.get(key)
  const isCurrent = row?.epoch === tables.scopes.get(scopeKey)?.epoch
  return { row: isCurrent ? row : undefined, document: tables.documents.get(key) }
}
