/** Documents at rest: registered or attached, triggered, read back, tried again, removed. */
import { randomUUIDv7 } from 'node:crypto'
import type { TenantCaller } from '../domain/caller.ts'
import { Fault } from '../domain/fault.ts'
import type { Fingerprints } from '../platform/fingerprint.ts'
import { hasMoreClaims } from '../store/claims.ts'
import * as store from '../store/documents.ts'
import type { DocumentRow, DocumentStatus, VersionRow } from '../store/documents.ts'
import { selectDocumentCounts } from '../store/scope-figures.ts'
import type { StatusCounts } from '../store/scope-figures.ts'
import { appendEvents } from '../store/scope-log.ts'
import type { NewEvent, ScopeHead } from '../store/scope-log.ts'
import { inTenantSnapshot } from '../store/transaction.ts'
import type { TenantTransaction } from '../store/transaction.ts'
import { documentPrint, recordAudit } from './audit.ts'
import { compareClaims, TooMuchWork } from './comparing.ts'
import type { Means, Trouble } from './comparing.ts'
import { comparePrepared, MAX_WORK } from './comparing/prepared.ts'
import { contentParts, openCard, sealCard } from './document-card.ts'
import type { DocumentCard } from './document-card.ts'
import { decodeCursor, toPage } from './pages.ts'
import type { Page, PageRequest } from './pages.ts'
import type { Policies } from './policies.ts'
import { requireScope } from './required-scope.ts'
import type { ScopeSeal } from './scope-seals.ts'
import { inScope } from './scope-writing.ts'
import type { ScopeWritingDeps } from './scope-writing.ts'

export type { DocumentStatus, VersionRow }

export interface RemovalDeps extends ScopeWritingDeps {
  readonly policies: Policies
  readonly trouble?: Trouble
}

export interface DocumentsDeps extends RemovalDeps {
  readonly fingerprints: Fingerprints
  /** Removes a document whose claims leave much to compare, away from this thread; in this thread where it is not given. */
  readonly removeHeavy?: RemoveHeavy
  /** Told after the commit what was queued: so many, from a position of the log on. */
  readonly noteQueued?: (who: TenantCaller, scopeId: string, firstSeq: number, count: number) => void
}

export type RemoveHeavy = (who: TenantCaller, scopeId: string, documentId: string) => Promise<Removal>

export interface PlacedDocument extends DocumentRow, DocumentCard {
  readonly scopeId: string
}

export interface DepositRequest extends DocumentCard {
  readonly scopeId: string
  readonly documentId: string | null
  readonly type: string
  readonly text: string | null
  readonly characters: number
}

/** Keeps a document without queueing it; the same again changes nothing, other content makes a new version. */
export async function depositDocument(
  deps: DocumentsDeps,
  who: TenantCaller,
  what: DepositRequest,
): Promise<PlacedDocument> {
  const documentId = what.documentId ?? randomUUIDv7()
  const print = deps.fingerprints(who.tenantId)(contentParts(what))
  return inScope(deps, who, what.scopeId, async (transaction, head, seal) => {
    const old = await store.selectDocument(transaction, what.scopeId, documentId)
    if (!old?.fingerprint?.equals(print))
      await deposit(transaction, head, seal, { ...what, documentId }, old, print)
    return placeDocument(what.scopeId, await requireRow(transaction, what.scopeId, documentId), seal)
  })
}

async function deposit(
  transaction: TenantTransaction,
  head: ScopeHead,
  seal: ScopeSeal,
  what: DepositRequest & { readonly documentId: string },
  old: DocumentRow | undefined,
  print: Buffer,
): Promise<void> {
  const { scopeId, documentId, text } = what
  if (old) requireReplaceable(old, text)
  const version = text === null ? (old?.version ?? 0) : (old?.version ?? 0) + 1
  const status = text === null ? 'registered' : 'attached'
  const sealedCard = sealCard(seal, documentId, what)
  const where = { scopeId, documentId, epoch: head.epoch, version }
  const { type, characters } = what
  await store.putDocument(transaction, { ...where, type, status, fingerprint: print, sealedCard, characters })
  if (text !== null) {
    const sealedText = seal.seal('text', documentId, Buffer.from(text))
    await store.endVersionBefore(transaction, scopeId, documentId, version)
    await store.insertAttachedVersion(transaction, { ...where, characters: what.characters, sealedText })
  }
  await appendEvents(transaction, head, [
    ...(old && text !== null ? supersession(old, version) : []),
    { kind: `document.${status}`, documentId, version, data: {} },
  ])
}

function requireReplaceable({ status, version }: DocumentRow, text: string | null): void {
  if (status === 'queued' || status === 'processing')
    throw new Fault('illegal_transition', { internal: 'the document is on its way; wait for its end' })
  if (text === null && version > 0 && status !== 'removed')
    throw new Fault('illegal_transition', { internal: 'a document that has text cannot be without it again' })
}

/** What was processed stays in force until the newer version is; what never got there ends now. */
const ENDS_WHEN_REPLACED: ReadonlySet<DocumentStatus> = new Set(['attached', 'failed', 'held'])

function supersession({ documentId, version, status }: DocumentRow, by: number): NewEvent[] {
  if (!ENDS_WHEN_REPLACED.has(status)) return []
  return [{ kind: 'document.superseded', documentId, version, data: { superseded_by: by } }]
}

/** Attached is queued now; without text, or without content any more, there is nothing to queue. */
const NEVER_QUEUED: ReadonlySet<string> = new Set(['attached', 'registered', 'removed'])

export interface Triggered {
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

/** Documents that one transaction queues: its statements end long before their time limit, and others write in the scope in between. */
const TRIGGER_PAGE = 2_000

function joinPages(before: Triggered, page: Triggered): Triggered {
  return {
    queued: before.queued + page.queued,
    // As it was before the first page: the next ones find queued what that one queued.
    alreadyQueued: before.alreadyQueued,
    withoutText: before.withoutText,
    firstSeq: before.firstSeq ?? page.firstSeq,
    lastSeq: page.lastSeq ?? before.lastSeq,
  }
}

/**
 * Queues what is attached; what is on its way or at its end already is left as it is. Where a whole scope is triggered, each page is a
 * transaction of its own: what is queued stays queued if a later page fails, and the next trigger queues the rest.
 */
export async function triggerIngest(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  documentIds: readonly string[] | undefined,
  pageSize: number = TRIGGER_PAGE,
): Promise<Triggered> {
  if (documentIds) {
    const { lastId: _, ...named } = await triggerPage(deps, who, scopeId, { documentIds })
    return named
  }
  let triggered: Triggered | undefined
  let after = ''
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
    const page = await triggerPage(deps, who, scopeId, { after, limit: pageSize })
    triggered = triggered ? joinPages(triggered, page) : page
    if (page.queued < pageSize || page.lastId === undefined) return triggered
    after = page.lastId
  }
}

async function triggerPage(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  selection: store.TriggerSelection,
): Promise<Triggered & { readonly lastId: string | undefined }> {
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

/** What is queued stays what it was but for its status; needs the head to be held. */
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

/** Queues a document that failed, or that governance held, once more. */
export async function retryDocument(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  documentId: string,
): Promise<{ readonly version: number; readonly seq: number }> {
  const retried = await inScope(deps, who, scopeId, async (transaction, head) => {
    const document = await store.selectDocument(transaction, scopeId, documentId)
    if (!document || document.status === 'removed') throw new Fault('document_not_found')
    if (document.status !== 'failed' && document.status !== 'held') throw new Fault('illegal_transition')
    const [queued] = await queue(transaction, head, [document])
    const retry = { version: document.version, seq: queued?.seq ?? head.head }
    await recordDocument(deps, transaction, who, 'document.retried', head, documentId, retry)
    return retry
  })
  deps.noteQueued?.(who, scopeId, retried.seq, 1)
  return retried
}

export interface Removal {
  readonly versions: number
  readonly seq: number
}

/**
 * What remains is the mark that it was there: its text, reading, claims and work are gone with this commit, and so is what
 * was found by its claims.
 */
export async function removeDocument(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  documentId: string,
): Promise<Removal> {
  try {
    return await removeWith(deps, { ...deps, maxWork: MAX_WORK }, who, scopeId, documentId)
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
  }
  if (!deps.removeHeavy) return removePrepared(deps, who, scopeId, documentId)
  const removal = await deps.removeHeavy(who, scopeId, documentId)
  deps.announceEvents(who.tenantId, scopeId)
  return removal
}

/** The same for a document whose claims leave much to compare: it is compared before the scope is locked. */
export async function removePrepared(
  deps: RemovalDeps,
  who: TenantCaller,
  scopeId: string,
  documentId: string,
): Promise<Removal> {
  const { tenantId } = who
  const seal = await deps.seals.get(tenantId, scopeId)
  const change = { tenantId, scopeId, seal, documents: [{ documentId, claims: [], isRemoved: true }] }
  return comparePrepared(deps.pools.tenant, [change], deps, (prepared) =>
    removeWith(deps, prepared, who, scopeId, documentId),
  )
}

async function removeWith(
  deps: RemovalDeps,
  means: Means,
  who: TenantCaller,
  scopeId: string,
  documentId: string,
): Promise<Removal> {
  return inScope(deps, who, scopeId, async (transaction, head, seal) => {
    const document = await store.selectDocument(transaction, scopeId, documentId)
    if (!document || document.status === 'removed') throw new Fault('document_not_found')
    const documents = [{ documentId, claims: [], isRemoved: true }]
    const change = { tenantId: who.tenantId, scopeId, seal, documents }
    if (!means.memo && (await hasMoreClaims(transaction, scopeId, documentId, MAX_CLAIMS)))
      throw new TooMuchWork([change])
    const versions = await store.removeDocumentContent(transaction, scopeId, documentId)
    const event = { kind: 'document.removed', documentId, version: document.version, data: {} }
    const seq = await appendEvents(transaction, head, [event])
    const removal = { version: document.version, seq }
    await recordDocument(deps, transaction, who, 'document.removed', head, documentId, removal)
    await compareClaims(transaction.connection, [change], means)
    return { versions, seq }
  })
}

/** The groups of more claims are too many to be opened on the main thread. */
const MAX_CLAIMS = 30

/** Its id stands in the log of the scope, at `seq`, for as long as the scope is not reset. */
async function recordDocument(
  { auditor }: RemovalDeps,
  { connection, tenantId }: TenantTransaction,
  who: TenantCaller,
  action: 'document.removed' | 'document.retried',
  { scopeId, epoch }: ScopeHead,
  documentId: string,
  change: { readonly version: number; readonly seq: number },
): Promise<void> {
  const subject = documentPrint(auditor, tenantId, scopeId, documentId)
  await recordAudit(connection, auditor, [
    { action, who, tenantId, scopeId, subject, details: { epoch, ...change } },
  ])
}

export async function getDocument(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  documentId: string,
  request: PageRequest = NEWEST_VERSIONS,
): Promise<{ readonly document: PlacedDocument; readonly versions: Page<VersionRow> }> {
  const [before] = decodeCursor(request.cursor, [VERSION_NUMBER], VERSIONS_CURSOR) ?? []
  const { row, versions } = await inTenantSnapshot(deps.pools.tenant, who.tenantId, async (transaction) => {
    await requireScope(transaction, scopeId)
    return {
      row: await requireRow(transaction, scopeId, documentId),
      versions: await store.selectVersions(
        transaction,
        { scopeId, documentId },
        before === undefined ? undefined : Number(before),
        request.limit + 1,
      ),
    }
  })
  const seal = await sealFor(deps, who, scopeId, [row])
  return {
    document: placeDocument(scopeId, row, seal),
    versions: toPage(
      versions,
      request.limit,
      (each) => each,
      ({ version }) => [String(version)],
    ),
  }
}

const NEWEST_VERSIONS: PageRequest = { limit: 20, cursor: undefined }
const VERSION_NUMBER = /^[1-9][0-9]{0,8}$/
const VERSIONS_CURSOR = { sent: 'versions_cursor', taken: 'next_versions_cursor' }

async function requireRow(
  transaction: TenantTransaction,
  scopeId: string,
  documentId: string,
): Promise<DocumentRow> {
  const row = await store.selectDocument(transaction, scopeId, documentId)
  if (!row) throw new Fault('document_not_found')
  return row
}

/** A seal that was remembered from before a reset is fetched anew when something was written after it. */
export async function sealFor(
  { seals }: DocumentsDeps,
  { tenantId }: TenantCaller,
  scopeId: string,
  rows: readonly DocumentRow[],
): Promise<ScopeSeal> {
  const seal = await seals.get(tenantId, scopeId)
  if (rows.every(({ epoch }) => epoch <= seal.epoch)) return seal
  seals.forget(tenantId, scopeId, seal.epoch)
  return seals.get(tenantId, scopeId)
}

/** A removed document has no card left, and a card of another generation cannot be opened. */
export function placeDocument(scopeId: string, row: DocumentRow, seal: ScopeSeal): PlacedDocument {
  const readable = row.sealedCard !== null && row.epoch === seal.epoch
  const card = readable ? openCard(seal, row.documentId, row.sealedCard) : NO_CARD
  return { ...row, ...card, scopeId }
}

const NO_CARD: DocumentCard = { name: '', source: null, provenance: null }
