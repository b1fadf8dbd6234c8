/** Claiming and settling: ticket, attempt and epoch are the fence (migration 0008). */
import { append, eventOf, unchanged, withEntry, without, withVersion } from '../store.ts'
import type { Change, Paper, Place, Rule, Store, Verdict, Work } from '../store.ts'

interface ClaimRequest {
  readonly place: Place
  readonly ticket: number
  readonly maxBegun: number
}

type ClaimAnswer =
  | { readonly outcome: 'claimed'; readonly attempt: number }
  | { readonly outcome: 'stale' | 'exhausted' }

export interface SettleRequest {
  readonly place: Place
  readonly ticket: number
  readonly attempt: number
  readonly verdict: Verdict
  readonly reason: string | null
}

export type SettleAnswer = 'settled' | 'stale'

/** The counter moves before the attempt begins: an attempt that takes its process down has been counted. */
export const claim: Rule<ClaimRequest, ClaimAnswer> = (store, at, { place, ticket, maxBegun }) => {
  const { row, paper } = current(store, place)
  if (!row || !paper || row.ticket !== ticket || row.state === 'queued')
    return unchanged(store, { outcome: 'stale' })
  if (row.attempt >= maxBegun) return giveUp(store, row, paper)
  const attempt = row.attempt + 1
  const { scopes, entries } = append(store, place.scopeKey, [eventOf('document.processing', row)])
  const begun: Work = { ...row, state: 'processing', attempt, touchedAt: at }
  const work = withEntry(store.work, place.key, begun)
  const papers = withEntry(store.papers, place.key, { ...marked(paper, row, 'processing'), attempt })
  return { store: { ...store, scopes, papers, work }, answer: { outcome: 'claimed', attempt }, entries }
}

/** The last attempt ended without a word. */
function giveUp(store: Store, row: Work, paper: Paper): Change<ClaimAnswer> {
  const failed = { ...marked(paper, row, 'failed'), error: paper.error ?? 'worker_lost' }
  return end(store, failed, { outcome: 'exhausted' }, [eventOf('document.failed', row)])
}

export const settle: Rule<SettleRequest, SettleAnswer> = (store, at, request) => {
  const { place, ticket, attempt } = request
  const { row, paper } = current(store, place)
  if (!row || !paper || row.ticket !== ticket || row.attempt !== attempt || row.state !== 'processing')
    return unchanged(store, 'stale')
  return write(store, at, row, paper, request)
}

/** What a result writes once the fence has let it through. A reading takes the place of the older one. */
export function write(
  store: Store,
  at: number,
  row: Work,
  paper: Paper,
  { verdict, reason }: Pick<SettleRequest, 'verdict' | 'reason'>,
): Change<SettleAnswer> {
  const { key } = row.place
  if (verdict === 'retry') {
    const work = withEntry<Work>(store.work, key, { ...row, state: 'ready', touchedAt: at })
    const papers = withEntry(store.papers, key, { ...marked(paper, row, 'queued'), error: reason })
    return { store: { ...store, papers, work }, answer: 'settled', entries: [] }
  }
  const now = { ...marked(paper, row, verdict), error: reason }
  if (verdict === 'failed') return end(store, now, 'settled', [eventOf('document.failed', row)])
  const old = paper.readings.find((version) => version < row.version)
  const readings = [...paper.readings.filter((version) => version !== old), row.version]
  const processed = eventOf('document.processed', row)
  if (old === undefined) return end(store, { ...now, readings }, 'settled', [processed])
  const versions = withVersion(now.versions, old, 'superseded')
  const superseded = eventOf('document.superseded', { ...row, version: old })
  return end(store, { ...now, readings, versions }, 'settled', [superseded, processed])
}

/** The document as it is in the end; its work is gone. */
function end<Answer>(
  store: Store,
  paper: Paper,
  answer: Answer,
  events: readonly ReturnType<typeof eventOf>[],
): Change<Answer> {
  const { key, scopeKey } = paper.place
  const { scopes, entries } = append(store, scopeKey, events)
  const papers = withEntry(store.papers, key, paper)
  return { store: { ...store, scopes, papers, work: without(store.work, key) }, answer, entries }
}

function marked(paper: Paper, { version }: Work, status: Paper['status']): Paper {
  return { ...paper, status, versions: withVersion(paper.versions, version, status) }
}

/** The row, unless it is of an epoch that is over, and its document. */
function current(store: Store, { key, scopeKey }: Place) {
  const row = store.work.get(key)
  const isCurrent = row?.epoch === store.scopes.get(scopeKey)?.epoch
  return { row: isCurrent ? row : undefined, paper: store.papers.get(key) }
}
