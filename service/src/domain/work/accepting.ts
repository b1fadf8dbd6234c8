/** The requests of a tenant: to accept a text, to try a failed one again, to remove one; and the reset of a scope. */
import { append, NEW_SCOPE, shardOf, eventOf, unchanged, withEntry, without, withVersion } from './tables.ts'
import type { Change, DocumentRow, WorkScope, Rule, Tables, Version, WorkRow } from './tables.ts'

interface AcceptRequest {
  readonly place: WorkScope
  /** The generation of the seal that the text was sealed with. */
  readonly epoch: number
  readonly fingerprint: string
}

interface Outcome<Name extends string> {
  readonly outcome: Name
  readonly seq: number
}

/** Works as in accept_documents_of, for a request without an idempotency key. */
export const accept: Rule<
  AcceptRequest,
  Outcome<'accepted' | 'replayed' | 'scope_not_found' | 'stale_epoch'>
> = (tables, at, { place, epoch, fingerprint }) => {
  const scope = tables.scopes.get(place.scopeKey)
  if (!scope) return unchanged(tables, { outcome: 'scope_not_found', seq: 0 })
  if (scope.epoch !== epoch) return unchanged(tables, { outcome: 'stale_epoch', seq: 0 })
  const old = tables.documents.get(place.key)
  if (old && old.fingerprint === fingerprint && old.status !== 'removed')
    return unchanged(tables, { outcome: 'replayed', seq: old.seq })
  const version = (old?.version ?? 0) + 1
  const { scopes, entries, seq } = append(tables, place.scopeKey, [
    ...(isSuperseded(old) ? [eventOf('document.superseded', old)] : []),
    eventOf('document.queued', { place, version }),
  ])
  const document: DocumentRow = {
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
    releasedVersion: old?.releasedVersion ?? null,
  }
  return {
    tables: queue({ ...tables, scopes }, at, document, epoch),
    answer: { outcome: 'accepted', seq },
    entries,
  }
}

/** A failed document is read again; what policy holds is asked about again. */
export const retry: Rule<
  { readonly place: WorkScope },
  Outcome<'queued' | 'document_not_found' | 'illegal_transition'>
> = (tables, at, { place }) => {
  const old = tables.documents.get(place.key)
  if (!old || old.status === 'removed') return unchanged(tables, { outcome: 'document_not_found', seq: 0 })
  if (old.status !== 'failed' && old.status !== 'held')
    return unchanged(tables, { outcome: 'illegal_transition', seq: 0 })
  return queueAgain(tables, at, old)
}

/** A held document that a person lets pass is queued again, and not asked about any more. The decision is told before it. */
export const releaseHeld: Rule<
  { readonly place: WorkScope },
  Outcome<'queued' | 'document_not_found' | 'illegal_transition'>
> = (tables, at, { place }) => {
  const old = tables.documents.get(place.key)
  if (!old || old.status === 'removed') return unchanged(tables, { outcome: 'document_not_found', seq: 0 })
  if (old.status !== 'held') return unchanged(tables, { outcome: 'illegal_transition', seq: 0 })
  const decided = { kind: 'decision.made', document: null, version: null }
  return queueAgain(tables, at, { ...old, releasedVersion: old.version }, [decided])
}

export const remove: Rule<{ readonly place: WorkScope }, Outcome<'removed' | 'document_not_found'>> = (
  tables,
  _at,
  { place },
) => {
  const old = tables.documents.get(place.key)
  if (!old || old.status === 'removed') return unchanged(tables, { outcome: 'document_not_found', seq: 0 })
  const { scopes, entries, seq } = append(tables, place.scopeKey, [eventOf('document.removed', old)])
  const gone = {
    attempt: 0,
    error: null,
    fingerprint: null,
    versions: [],
    readings: [],
    releasedVersion: null,
  }
  const documents = withEntry<DocumentRow>(tables.documents, place.key, {
    ...old,
    ...gone,
    status: 'removed',
  })
  const work = without(tables.work, place.key)
  return { tables: { ...tables, scopes, documents, work }, answer: { outcome: 'removed', seq }, entries }
}

/** All of the scope goes and its log goes on in the next epoch. Rows of a large scope go later; nothing can read them meanwhile. */
export const reset: Rule<{ readonly scopeKey: string }, { readonly epoch: number }> = (
  tables,
  _at,
  { scopeKey },
) => {
  const scope = tables.scopes.get(scopeKey) ?? NEW_SCOPE
  const epoch = scope.epoch + 1
  const raised = { ...tables, scopes: withEntry(tables.scopes, scopeKey, { ...scope, epoch }) }
  const event = { kind: 'scope.reset', document: null, version: null }
  const { scopes, entries } = append(raised, scopeKey, [event])
  const isElsewhere = ([, { place }]: readonly [string, { readonly place: WorkScope }]) =>
    place.scopeKey !== scopeKey
  const documents = new Map([...tables.documents].filter(isElsewhere))
  const work = new Map([...tables.work].filter(isElsewhere))
  return { tables: { ...tables, scopes, documents, work }, answer: { epoch }, entries }
}

function queueAgain(
  tables: Tables,
  at: number,
  old: DocumentRow,
  before: Parameters<typeof append>[2] = [],
): Change<Outcome<'queued'>> {
  const { place } = old
  const queued = eventOf('document.queued', old)
  const { scopes, entries, seq } = append(tables, place.scopeKey, [...before, queued])
  const versions = withVersion(old.versions, old.version, 'queued')
  const document: DocumentRow = { ...old, status: 'queued', attempt: 0, error: null, seq, versions }
  const epoch = scopes.get(place.scopeKey)?.epoch ?? 0
  return {
    tables: queue({ ...tables, scopes }, at, document, epoch),
    answer: { outcome: 'queued', seq },
    entries,
  }
}

/** A row of work of its own, whatever was there before: no ticket of an earlier release fits it. */
function queue(tables: Tables, at: number, document: DocumentRow, epoch: number): Tables {
  const { place, version } = document
  const position = tables.positions + 1
  const row: WorkRow = {
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
  const documents = withEntry(tables.documents, place.key, document)
  return { ...tables, documents, positions: position, work: withEntry(tables.work, place.key, row) }
}

/** One that was processed stays in force until the newer one is. */
const SUPERSEDED: ReadonlySet<string> = new Set(['queued', 'processing', 'held', 'failed'])

function isSuperseded(document: DocumentRow | undefined): document is DocumentRow {
  return !!document && SUPERSEDED.has(document.status)
}

function ended({ version, status }: Version): Version {
  return { version, status: status === 'processed' ? status : 'superseded' }
}
