/** Claiming and settling: ticket, attempt and epoch are the fence (migration 0008). */
import { append, unchanged, withEntry, without, withVersion } from '../store.ts'
import type { Change, Paper, Place, Store, Verdict, Work } from '../store.ts'

export interface ClaimRequest {
  readonly place: Place
  readonly ticket: number
  readonly maxBegun: number
}

export type ClaimAnswer =
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
export function claim(store: Store, at: number, request: ClaimRequest): Change<ClaimAnswer> {
  const { place, ticket, maxBegun } = request
  const row = current(store, place)
  const paper = store.papers.get(place.key)
  if (!row || !paper || row.ticket !== ticket || row.state === 'queued')
    return unchanged(store, { outcome: 'stale' })
  if (row.attempt >= maxBegun) return giveUp(store, row, paper)
  const attempt = row.attempt + 1
  const { scopes, entries } = append(store, place.scopeKey, [told('document.processing', row)])
  const work = withEntry(store.work, place.key, {
    ...row,
    state: 'processing' as const,
    attempt,
    touchedAt: at,
  })
  const papers = withEntry(store.papers, place.key, { ...marked(paper, row, 'processing'), attempt })
  return { store: { ...store, scopes, papers, work }, answer: { outcome: 'claimed', attempt }, entries }
}

/** The last attempt ended without a word. */
function giveUp(store: Store, row: Work, paper: Paper): Change<ClaimAnswer> {
  const { key, scopeKey } = row.place
  const { scopes, entries } = append(store, scopeKey, [told('document.failed', row)])
  const failed = { ...marked(paper, row, 'failed'), error: paper.error ?? 'worker_lost' }
  return {
    store: { ...store, scopes, papers: withEntry(store.papers, key, failed), work: without(store.work, key) },
    answer: { outcome: 'exhausted' },
    entries,
  }
}

export function settle(store: Store, at: number, request: SettleRequest): Change<SettleAnswer> {
  const { place, ticket, attempt } = request
  const row = current(store, place)
  const paper = store.papers.get(place.key)
  if (!row || !paper || row.ticket !== ticket || row.attempt !== attempt || row.state !== 'processing')
    return unchanged(store, 'stale')
  return write(store, at, row, paper, request)
}

/** What a result writes once the fence has let it through. */
export function write(
  store: Store,
  at: number,
  row: Work,
  paper: Paper,
  { verdict, reason }: Pick<SettleRequest, 'verdict' | 'reason'>,
): Change<SettleAnswer> {
  const { key, scopeKey } = row.place
  if (verdict === 'retry') {
    const work = withEntry(store.work, key, { ...row, state: 'ready' as const, touchedAt: at })
    const papers = withEntry(store.papers, key, { ...marked(paper, row, 'queued'), error: reason })
    return { store: { ...store, papers, work }, answer: 'settled', entries: [] }
  }
  const old = verdict === 'processed' ? paper.readings.find((version) => version < row.version) : undefined
  const { scopes, entries } = append(store, scopeKey, [
    ...(old === undefined ? [] : [told('document.superseded', { ...row, version: old })]),
    told(`document.${verdict}`, row),
  ])
  const papers = withEntry(store.papers, key, { ...ended(paper, row, verdict, old), error: reason })
  return { store: { ...store, scopes, papers, work: without(store.work, key) }, answer: 'settled', entries }
}

/** A reading takes the place of the older one in the same commit. */
function ended(paper: Paper, row: Work, verdict: 'processed' | 'failed', old: number | undefined): Paper {
  const now = marked(paper, row, verdict)
  if (verdict === 'failed') return now
  return {
    ...now,
    versions: old === undefined ? now.versions : withVersion(now.versions, old, 'superseded'),
    readings: [...paper.readings.filter((version) => version !== old), row.version],
  }
}

function marked(paper: Paper, { version }: Work, status: Paper['status']): Paper {
  return { ...paper, status, versions: withVersion(paper.versions, version, status) }
}

/** The row, unless it is of an epoch that is over. */
function current(store: Store, place: Place): Work | undefined {
  const row = store.work.get(place.key)
  return row?.epoch === store.scopes.get(place.scopeKey)?.epoch ? row : undefined
}

function told(kind: string, { place, version }: Pick<Work, 'place' | 'version'>) {
  return { kind, document: place.document, version }
}
