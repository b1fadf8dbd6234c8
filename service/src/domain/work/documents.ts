/** The requests of a tenant: accept, retry, release and remove a document, and reset a scope. */
import { append, NEW_SCOPE, shardOf, eventOf, unchanged, withEntry, without, withVersion } from './tables.ts'
import type { Change, DocumentRow, DocumentRef, Rule, Tables, Version, WorkRow } from './tables.ts'

interface AcceptRequest {
  readonly ref: DocumentRef
  /** The epoch of the seal that encrypted the text. */
  readonly epoch: number
  readonly fingerprint: string
}

interface Outcome<Name extends string> {
  readonly outcome: Name
  readonly seq: number
}

/** Works like `accept_documents_of` for a request without an idempotency key. */
export const accept: Rule<
  AcceptRequest,
  Outcome<'accepted' | 'replayed' | 'scope_not_found' | 'stale_epoch'>
> = (tables, at, { ref, epoch, fingerprint }) => {
  const scope = tables.scopes.get(ref.scopeKey)
  if (!scope) return unchanged(tables, { outcome: 'scope_not_found', seq: 0 })
  if (scope.epoch !== epoch) return unchanged(tables, { outcome: 'stale_epoch', seq: 0 })
  const old = tables.documents.get(ref.key)
  if (old && old.fingerprint === fingerprint && old.status !== 'removed')
    return unchanged(tables, { outcome: 'replayed', seq: old.seq })
  const version = (old?.version ?? 0) + 1
  const { scopes, entries, seq } = append(tables, ref.scopeKey, [
    ...(isSuperseded(old) ? [eventOf('document.superseded', old)] : []),
    eventOf('document.queued', { ref, version }),
  ])
  const document: DocumentRow = {
    ref,
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

/** Queues a failed or held document again. The policies decide again on a held one. */
export const retry: Rule<
  { readonly ref: DocumentRef },
  Outcome<'queued' | 'document_not_found' | 'illegal_transition'>
> = (tables, at, { ref }) => {
  const old = tables.documents.get(ref.key)
  if (!old || old.status === 'removed') return unchanged(tables, { outcome: 'document_not_found', seq: 0 })
  if (old.status !== 'failed' && old.status !== 'held')
    return unchanged(tables, { outcome: 'illegal_transition', seq: 0 })
  return queueAgain(tables, at, old)
}

/** Queues a held document that a person released. The policies no longer decide on this version. The decision is logged first. */
export const releaseHeld: Rule<
  { readonly ref: DocumentRef },
  Outcome<'queued' | 'document_not_found' | 'illegal_transition'>
> = (tables, at, { ref }) => {
  const old = tables.documents.get(ref.key)
  if (!old || old.status === 'removed') return unchanged(tables, { outcome: 'document_not_found', seq: 0 })
  if (old.status !== 'held') return unchanged(tables, { outcome: 'illegal_transition', seq: 0 })
  const decided = { kind: 'decision.made', document: null, version: null }
  return queueAgain(tables, at, { ...old, releasedVersion: old.version }, [decided])
}

export const remove: Rule<{ readonly ref: DocumentRef }, Outcome<'removed' | 'document_not_found'>> = (
  tables,
  _at,
  { ref },
) => {
  const old = tables.documents.get(ref.key)
  if (!old || old.status === 'removed') return unchanged(tables, { outcome: 'document_not_found', seq: 0 })
  const { scopes, entries, seq } = append(tables, ref.scopeKey, [eventOf('document.removed', old)])
  const cleared = {
    attempt: 0,
    error: null,
    fingerprint: null,
    versions: [],
    readings: [],
    releasedVersion: null,
  }
  const documents = withEntry<DocumentRow>(tables.documents, ref.key, {
    ...old,
    ...cleared,
    status: 'removed',
  })
  const work = without(tables.work, ref.key)
  return { tables: { ...tables, scopes, documents, work }, answer: { outcome: 'removed', seq }, entries }
}

/**
 * Removes everything in the scope. Its log continues in the next epoch. The product deletes the rows of a large scope
 * later, and nothing can read them meanwhile.
 */
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
  const isElsewhere = ([, { ref }]: readonly [string, { readonly ref: DocumentRef }]) =>
    ref.scopeKey !== scopeKey
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
  const { ref } = old
  const queued = eventOf('document.queued', old)
  const { scopes, entries, seq } = append(tables, ref.scopeKey, [...before, queued])
  const versions = withVersion(old.versions, old.version, 'queued')
  const document: DocumentRow = { ...old, status: 'queued', attempt: 0, error: null, seq, versions }
  const epoch = scopes.get(ref.scopeKey)?.epoch ?? 0
  return {
    tables: queue({ ...tables, scopes }, at, document, epoch),
    answer: { outcome: 'queued', seq },
    entries,
  }
}

/** Creates a new work row, so that no ticket of an earlier dispatch matches it. */
function queue(tables: Tables, at: number, document: DocumentRow, epoch: number): Tables {
  const { ref, version } = document
  const position = tables.positions + 1
  const row: WorkRow = {
    ref,
    version,
    epoch,
    state: 'queued',
    shard: shardOf(ref.tenant),
    position,
    attempt: 0,
    ticket: null,
    notBefore: at,
    touchedAt: at,
  }
  const documents = withEntry(tables.documents, ref.key, document)
  return { ...tables, documents, positions: position, work: withEntry(tables.work, ref.key, row) }
}

/** A processed version stays in force until the newer version is processed. */
const SUPERSEDED: ReadonlySet<string> = new Set(['queued', 'processing', 'held', 'failed'])

function isSuperseded(document: DocumentRow | undefined): document is DocumentRow {
  return !!document && SUPERSEDED.has(document.status)
}

function ended({ version, status }: Version): Version {
  return { version, status: status === 'processed' ? status : 'superseded' }
}
