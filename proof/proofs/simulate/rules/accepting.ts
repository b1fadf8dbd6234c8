/** What a tenant asks for: to accept a text, to try a failed one again, to remove one; and the reset of a scope. */
import { append, shardOf, unchanged, withEntry, without, withVersion } from '../store.ts'
import type { Change, Paper, Place, Store, Version, Work } from '../store.ts'

export interface AcceptRequest {
  readonly place: Place
  /** Of the seal that the text was sealed with. */
  readonly epoch: number
  readonly fingerprint: string
}

export interface AcceptAnswer {
  readonly outcome: 'accepted' | 'replayed' | 'scope_not_found' | 'stale_epoch'
  readonly seq: number
}

/** As in accept_documents_of (migration 0006), for a request without an idempotency key. */
export function accept(store: Store, at: number, request: AcceptRequest): Change<AcceptAnswer> {
  const { place, epoch, fingerprint } = request
  const scope = store.scopes.get(place.scopeKey)
  if (!scope) return unchanged(store, { outcome: 'scope_not_found', seq: 0 })
  if (scope.epoch !== epoch) return unchanged(store, { outcome: 'stale_epoch', seq: 0 })
  const old = store.papers.get(place.key)
  if (old && old.fingerprint === fingerprint && old.status !== 'removed')
    return unchanged(store, { outcome: 'replayed', seq: old.seq })
  const version = (old?.version ?? 0) + 1
  const { scopes, entries, seq } = append(store, place.scopeKey, [
    ...(isSuperseded(old) ? [told('document.superseded', place, old.version)] : []),
    told('document.queued', place, version),
  ])
  const paper: Paper = {
    place,
    epoch,
    version,
    status: 'queued',
    attempt: 0,
    error: null,
    fingerprint,
    seq,
    versions: [...(old?.versions ?? []).map(ended), { version, status: 'queued' }],
    readings: old?.readings ?? [],
  }
  const next = queue(
    { ...store, scopes, papers: withEntry(store.papers, place.key, paper) },
    at,
    paper,
    epoch,
  )
  return { store: next, answer: { outcome: 'accepted', seq }, entries }
}

export interface QueueAnswer {
  readonly outcome: 'queued' | 'document_not_found' | 'illegal_transition'
  readonly seq: number
}

export function retry(store: Store, at: number, { place }: { readonly place: Place }): Change<QueueAnswer> {
  const old = store.papers.get(place.key)
  if (!old || old.status === 'removed') return unchanged(store, { outcome: 'document_not_found', seq: 0 })
  if (old.status !== 'failed') return unchanged(store, { outcome: 'illegal_transition', seq: 0 })
  const { scopes, entries, seq } = append(store, place.scopeKey, [
    told('document.queued', place, old.version),
  ])
  const versions = withVersion(old.versions, old.version, 'queued')
  const paper: Paper = { ...old, status: 'queued', attempt: 0, error: null, seq, versions }
  const papers = withEntry(store.papers, place.key, paper)
  const epoch = scopes.get(place.scopeKey)?.epoch ?? 0
  return {
    store: queue({ ...store, scopes, papers }, at, paper, epoch),
    answer: { outcome: 'queued', seq },
    entries,
  }
}

export interface DocumentAnswer {
  readonly outcome: 'removed' | 'document_not_found'
  readonly seq: number
}

export function remove(
  store: Store,
  _at: number,
  { place }: { readonly place: Place },
): Change<DocumentAnswer> {
  const old = store.papers.get(place.key)
  if (!old || old.status === 'removed') return unchanged(store, { outcome: 'document_not_found', seq: 0 })
  const { scopes, entries, seq } = append(store, place.scopeKey, [
    told('document.removed', place, old.version),
  ])
  const gone = { attempt: 0, error: null, fingerprint: null, versions: [], readings: [] }
  const papers = withEntry(store.papers, place.key, { ...old, ...gone, status: 'removed' as const })
  const work = without(store.work, place.key)
  return { store: { ...store, scopes, papers, work }, answer: { outcome: 'removed', seq }, entries }
}

/** Designed, not served yet: one transaction in which all of the scope goes and its log goes on in the next epoch. */
export function reset(
  store: Store,
  _at: number,
  { scopeKey }: { readonly scopeKey: string },
): Change<{ readonly epoch: number }> {
  const epoch = (store.scopes.get(scopeKey)?.epoch ?? 0) + 1
  const head = store.scopes.get(scopeKey)?.head ?? 0
  const raised = { ...store, scopes: withEntry(store.scopes, scopeKey, { epoch, head }) }
  const { scopes, entries } = append(raised, scopeKey, [
    { kind: 'scope.reset', document: null, version: null },
  ])
  const isElsewhere = ([, { place }]: readonly [string, { readonly place: Place }]) =>
    place.scopeKey !== scopeKey
  const papers = new Map([...store.papers].filter(isElsewhere))
  const work = new Map([...store.work].filter(isElsewhere))
  return { store: { ...store, scopes, papers, work }, answer: { epoch }, entries }
}

/** A row of its own, whatever was there before: no ticket of an earlier release fits it. */
function queue(store: Store, at: number, { place, version }: Paper, epoch: number): Store {
  const position = store.positions + 1
  const row: Work = {
    place,
    version,
    epoch,
    state: 'queued',
    shard: shardOf(place.tenant),
    position,
    attempt: 0,
    ticket: null,
    notBefore: at,
    touchedAt: at,
  }
  return { ...store, positions: position, work: withEntry(store.work, place.key, row) }
}

/** One that was processed stays in force until the newer one is. */
function isSuperseded(paper: Paper | undefined): paper is Paper {
  return paper?.status === 'queued' || paper?.status === 'processing' || paper?.status === 'failed'
}

function ended({ version, status }: Version): Version {
  return { version, status: status === 'processed' ? status : 'superseded' }
}

function told(kind: string, { document }: Place, version: number) {
  return { kind, document, version }
}
