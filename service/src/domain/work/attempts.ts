/** Claiming and settling: ticket, attempt and epoch are the fence. */
import { mayRun, putBack } from './switches.ts'
import { append, eventOf, unchanged, withEntry, without, withVersion } from './tables.ts'
import type { Change, DocumentRow, WorkScope, Rule, Tables, WorkVerdict, WorkRow } from './tables.ts'

interface ClaimRequest {
  readonly place: WorkScope
  readonly ticket: number
  readonly maxBegun: number
}

type StartResult =
  | { readonly outcome: 'claimed'; readonly attempt: number }
  | { readonly outcome: 'stale' | 'exhausted' | 'paused' }

export interface SettleRequest {
  readonly place: WorkScope
  readonly ticket: number
  readonly attempt: number
  readonly verdict: WorkVerdict
  readonly reason: string | null
}

export type SettleAnswer = 'settled' | 'stale'

/** The counter moves before the attempt begins: an attempt that takes its process down has been counted. */
export const claim: Rule<ClaimRequest, StartResult> = (tables, at, { place, ticket, maxBegun }) => {
  const { row, document } = current(tables, place)
  if (!row || !document || row.ticket !== ticket || row.state === 'queued')
    return unchanged(tables, { outcome: 'stale' })
  if (!mayRun(tables, place))
    return { tables: putBack(tables, at, row, document), answer: { outcome: 'paused' }, entries: [] }
  if (row.attempt >= maxBegun) return giveUp(tables, row, document)
  const attempt = row.attempt + 1
  const { scopes, entries } = append(tables, place.scopeKey, [eventOf('document.processing', row)])
  const begun: WorkRow = { ...row, state: 'processing', attempt, touchedAt: at }
  const work = withEntry(tables.work, place.key, begun)
  const documents = withEntry(tables.documents, place.key, {
    ...marked(document, row, 'processing'),
    attempt,
  })
  return { tables: { ...tables, scopes, documents, work }, answer: { outcome: 'claimed', attempt }, entries }
}

/** The last attempt ended without a word. */
function giveUp(tables: Tables, row: WorkRow, document: DocumentRow): Change<StartResult> {
  const failed = { ...marked(document, row, 'failed'), error: document.error ?? 'worker_lost' }
  return end(tables, failed, { outcome: 'exhausted' }, [eventOf('document.failed', row)])
}

export const settle: Rule<SettleRequest, SettleAnswer> = (tables, at, request) => {
  const { place, ticket, attempt } = request
  const { row, document } = current(tables, place)
  if (!row || !document || row.ticket !== ticket || row.attempt !== attempt || row.state !== 'processing')
    return unchanged(tables, 'stale')
  return write(tables, at, row, document, request)
}

/** The changes of a result once the fence has let it through. A reading takes the place of the older one. */
export function write(
  tables: Tables,
  at: number,
  row: WorkRow,
  document: DocumentRow,
  { verdict, reason }: Pick<SettleRequest, 'verdict' | 'reason'>,
): Change<SettleAnswer> {
  const { key } = row.place
  if (verdict === 'retry') {
    const work = withEntry<WorkRow>(tables.work, key, { ...row, state: 'ready', touchedAt: at })
    const documents = withEntry(tables.documents, key, { ...marked(document, row, 'queued'), error: reason })
    return { tables: { ...tables, documents, work }, answer: 'settled', entries: [] }
  }
  const now = { ...marked(document, row, verdict), error: reason }
  if (verdict !== 'processed') return end(tables, now, 'settled', [eventOf(`document.${verdict}`, row)])
  const old = document.readings.find((version) => version < row.version)
  const readings = [...document.readings.filter((version) => version !== old), row.version]
  const processed = eventOf('document.processed', row)
  if (old === undefined) return end(tables, { ...now, readings }, 'settled', [processed])
  const versions = withVersion(now.versions, old, 'superseded')
  const superseded = eventOf('document.superseded', { ...row, version: old })
  return end(tables, { ...now, readings, versions }, 'settled', [superseded, processed])
}

/** The document as it is in the end; its work is gone. */
function end<Answer>(
  tables: Tables,
  document: DocumentRow,
  answer: Answer,
  events: readonly ReturnType<typeof eventOf>[],
): Change<Answer> {
  const { key, scopeKey } = document.place
  const { scopes, entries } = append(tables, scopeKey, events)
  const documents = withEntry(tables.documents, key, document)
  return { tables: { ...tables, scopes, documents, work: without(tables.work, key) }, answer, entries }
}

function marked(document: DocumentRow, { version }: WorkRow, status: DocumentRow['status']): DocumentRow {
  return { ...document, status, versions: withVersion(document.versions, version, status) }
}

/** The row, unless it is of an epoch that is over, and its document. */
function current(tables: Tables, { key, scopeKey }: WorkScope) {
  const row = tables.work.get(key)
  const isCurrent = row?.epoch === tables.scopes.get(scopeKey)?.epoch
  return { row: isCurrent ? row : undefined, document: tables.documents.get(key) }
}
