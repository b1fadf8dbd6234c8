/** The requests of a tenant: to accept a text, to try a failed one again, to remove one; and the reset of a scope. */
import { append, shardOf, eventOf, unchanged, withEntry, without, withVersion } from '../store.ts'
import type { Paper, Place, Rule, Store, Version, Work } from '../store.ts'

interface AcceptRequest {
  readonly place: Place
  /** Of the seal that the text was sealed with. */
  readonly epoch: number
  readonly fingerprint: string
}

interface Outcome<Name extends string> {
  readonly outcome: Name
  readonly seq: number
}

/** As in accept_documents_of (migration 0006), for a request without an idempotency key. */
export const accept: Rule<
  AcceptRequest,
  Outcome<'accepted' | 'replayed' | 'scope_not_found' | 'stale_epoch'>
> = (store, at, { place, epoch, fingerprint }) => {
  const scope = store.scopes.get(place.scopeKey)
  if (!scope) return unchanged(store, { outcome: 'scope_not_found', seq: 0 })
  if (scope.epoch !== epoch) return unchanged(store, { outcome: 'stale_epoch', seq: 0 })
  const old = store.papers.get(place.key)
  if (old && old.fingerprint === fingerprint && old.status !== 'removed')
    return unchanged(store, { outcome: 'replayed', seq: old.seq })
  const version = (old?.version ?? 0) + 1
  const { scopes, entries, seq } = append(store, place.scopeKey, [
    ...(isSuperseded(old) ? [eventOf('document.superseded', old)] : []),
    eventOf('document.queued', { place, version }),
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
  return {
    store: queue({ ...store, scopes }, at, paper, epoch),
    answer: { outcome: 'accepted', seq },
    entries,
  }
}

export const retry: Rule<
  { readonly place: Place },
  Outcome<'queued' | 'document_not_found' | 'illegal_transition'>
> = (store, at, { place }) => {
  const old = store.papers.get(place.key)
  if (!old || old.status === 'removed') return unchanged(store, { outcome: 'document_not_found', seq: 0 })
  if (old.status !== 'failed') return unchanged(store, { outcome: 'illegal_transition', seq: 0 })
  const { scopes, entries, seq } = append(store, place.scopeKey, [eventOf('document.queued', old)])
  const versions = withVersion(old.versions, old.version, 'queued')
  const paper: Paper = { ...old, status: 'queued', attempt: 0, error: null, seq, versions }
  const epoch = scopes.get(place.scopeKey)?.epoch ?? 0
  return { store: queue({ ...store, scopes }, at, paper, epoch), answer: { outcome: 'queued', seq }, entries }
}

export const remove: Rule<{ readonly place: Place }, Outcome<'removed' | 'document_not_found'>> = (
  store,
  _at,
  { place },
) => {
  const old = store.papers.get(place.key)
  if (!old || old.status === 'removed') return unchanged(store, { outcome: 'document_not_found', seq: 0 })
  const { scopes, entries, seq } = append(store, place.scopeKey, [eventOf('document.removed', old)])
  const gone = { attempt: 0, error: null, fingerprint: null, versions: [], readings: [] }
  const papers = withEntry<Paper>(store.papers, place.key, { ...old, ...gone, status: 'removed' })
  const work = without(store.work, place.key)
  return { store: { ...store, scopes, papers, work }, answer: { outcome: 'removed', seq }, entries }
}

/** Designed, not served yet: one transaction in which all of the scope goes and its log goes on in the next epoch. */
export const reset: Rule<{ readonly scopeKey: string }, { readonly epoch: number }> = (
  store,
  _at,
  { scopeKey },
) => {
  const { epoch: before, head } = store.scopes.get(scopeKey) ?? { epoch: 0, head: 0 }
  const epoch = before + 1
  const raised = { ...store, scopes: withEntry(store.scopes, scopeKey, { epoch, head }) }
  const event = { kind: 'scope.reset', document: null, version: null }
  const { scopes, entries } = append(raised, scopeKey, [event])
  const isElsewhere = ([, { place }]: readonly [string, { readonly place: Place }]) =>
    place.scopeKey !== scopeKey
  const papers = new Map([...store.papers].filter(isElsewhere))
  const work = new Map([...store.work].filter(isElsewhere))
  return { store: { ...store, scopes, papers, work }, answer: { epoch }, entries }
}

/** A row of work of its own, whatever was there before: no ticket of an earlier release fits it. */
function queue(store: Store, at: number, paper: Paper, epoch: number): Store {
  const { place, version } = paper
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
  const papers = withEntry(store.papers, place.key, paper)
  return { ...store, papers, positions: position, work: withEntry(store.work, place.key, row) }
}

/** One that was processed stays in force until the newer one is. */
function isSuperseded(paper: Paper | undefined): paper is Paper {
  return paper?.status === 'queued' || paper?.status === 'processing' || paper?.status === 'failed'
}

function ended({ version, status }: Version): Version {
  return { version, status: status === 'processed' ? status : 'superseded' }
}
