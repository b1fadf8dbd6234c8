/** Registers, attaches, returns, retries and removes documents. */
import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { Fingerprints } from '../../platform/fingerprint.ts'
import { hasMoreClaims } from '../../store/documents/claims.ts'
import { saveLabels } from '../../store/documents/document-labels.ts'
import * as store from '../../store/documents/documents.ts'
import type { StoredDocumentRow, DocumentStatus, VersionRow } from '../../store/documents/documents.ts'
import { appendEvents } from '../../store/scopes/scope-log.ts'
import type { NewEvent } from '../../store/scopes/events.ts'
import type { ScopeHead } from '../../store/scopes/scope-log.ts'
import { inTenantSnapshot } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { documentFingerprint, recordAudit } from '../audit/audit.ts'
import type { AuditEvent } from '../../domain/audit.ts'
import type { StoreResult } from '../stored-answers.ts'
import { compareClaims, removeFromComparison, WorkLimitExceeded } from '../comparing/comparison.ts'
import type { OnCompareError } from '../comparing/comparison.ts'
import { MAX_WORK } from '../comparing/precomputation.ts'
import { contentParts, openCard, sealCard } from './document-card.ts'
import type { DocumentCard } from './document-card.ts'
import { encodeLabels, NO_LABELS, openLabels } from './labels.ts'
import type { Labels } from './labels.ts'
import { queue } from '../processing/ingest-trigger.ts'
import type { QueueingDeps } from '../processing/ingest-trigger.ts'
import { decodeCursor, toPage } from '../pages.ts'
import type { Page, PageRequest } from '../pages.ts'
import type { Policies } from '../access/policies.ts'
import { requireScope } from '../scopes/required-scope.ts'
import type { ScopeSeal } from '../scopes/scope-seals.ts'
import { inScope, storingResult } from '../scopes/scope-transaction.ts'
import type { ScopeWork, ScopeWriteDeps } from '../scopes/scope-transaction.ts'

export type { DocumentStatus, VersionRow }

export interface RemovalDeps extends ScopeWriteDeps {
  readonly policies: Policies
  readonly onCompareError?: OnCompareError
}

export interface DocumentsDeps extends RemovalDeps, QueueingDeps {
  readonly fingerprints: Fingerprints
}

/** Holds no ciphertext: lists and reports keep many of these in memory. */
export interface DecryptedDocument extends Omit<StoredDocumentRow, CiphertextColumn>, DocumentCard, Labels {
  readonly scopeId: string
}

type CiphertextColumn = 'fingerprint' | 'sealedCard' | 'sealedLabels'

export interface DepositRequest extends DocumentCard {
  readonly scopeId: string
  readonly documentId: string | null
  readonly type: string
  readonly text: string | null
  readonly characters: number
  /** Null keeps the labels that the document has. */
  readonly labels?: Labels | null
}

/** Stores a document without queueing it. The same content again changes nothing; other content creates a new version. */
export async function depositDocument(
  deps: DocumentsDeps,
  who: TenantCaller,
  what: DepositRequest,
  keep?: StoreResult<DecryptedDocument>,
): Promise<DecryptedDocument> {
  const documentId = what.documentId ?? randomUUIDv7()
  const fingerprint = deps.fingerprints(who.tenantId)(contentParts(what))
  const work: ScopeWork<DecryptedDocument> = async (transaction, head, seal) => {
    const old = await store.selectDocument(transaction, what.scopeId, documentId)
    if (!old?.fingerprint?.equals(fingerprint))
      await deposit(transaction, head, seal, { ...what, documentId }, old, fingerprint)
    const row = await requireRow(transaction, what.scopeId, documentId)
    return withLabels(transaction, seal, decryptDocument(what.scopeId, row, seal), what.labels)
  }
  return inScope(deps, who, what.scopeId, storingResult(keep, work))
}

/** Writes the labels only if they differ from those of the document, so that the same request again returns the same record. */
async function withLabels(
  transaction: TenantTransaction,
  seal: ScopeSeal,
  document: DecryptedDocument,
  labels: Labels | null | undefined,
): Promise<DecryptedDocument> {
  if (!labels || isDeepStrictEqual(labels, { tags: document.tags, metadata: document.metadata }))
    return document
  const { sealed, hashes } = encodeLabels(seal, document, labels)
  const updatedAt = await saveLabels(transaction, document, sealed, hashes)
  return { ...document, ...labels, updatedAt }
}

async function deposit(
  transaction: TenantTransaction,
  head: ScopeHead,
  seal: ScopeSeal,
  what: DepositRequest & { readonly documentId: string },
  old: StoredDocumentRow | undefined,
  fingerprint: Buffer,
): Promise<void> {
  const { scopeId, documentId, text } = what
  if (old) requireReplaceable(old, text)
  const version = text === null ? (old?.version ?? 0) : (old?.version ?? 0) + 1
  const status = text === null ? 'registered' : 'attached'
  const sealedCard = sealCard(seal, documentId, what)
  const where = { scopeId, documentId, epoch: head.epoch, version }
  const { type, characters } = what
  await store.putDocument(transaction, { ...where, type, status, fingerprint, sealedCard, characters })
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

function requireReplaceable({ status, version }: StoredDocumentRow, text: string | null): void {
  if (status === 'queued' || status === 'processing')
    throw new Fault('illegal_transition', { internal: 'the document is on its way; wait for its end' })
  if (text === null && version > 0 && status !== 'removed')
    throw new Fault('illegal_transition', { internal: 'a document that has text cannot be without it again' })
}

/** A processed version stays in effect until the new version is processed. A version in one of these statuses is superseded at once. */
const ENDS_WHEN_REPLACED: ReadonlySet<DocumentStatus> = new Set(['attached', 'failed', 'held'])

function supersession({ documentId, version, status }: StoredDocumentRow, by: number): NewEvent[] {
  if (!ENDS_WHEN_REPLACED.has(status)) return []
  return [{ kind: 'document.superseded', documentId, version, data: { superseded_by: by } }]
}

export interface RetryResult {
  readonly version: number
  readonly seq: number
}

/** Queues a failed or held document again. */
export async function retryDocument(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  documentId: string,
  keep?: StoreResult<RetryResult>,
): Promise<RetryResult> {
  const work: ScopeWork<RetryResult> = async (transaction, head) => {
    const document = await store.selectDocument(transaction, scopeId, documentId)
    if (!document || document.status === 'removed') throw new Fault('document_not_found')
    if (document.status !== 'failed' && document.status !== 'held') throw new Fault('illegal_transition')
    const [queued] = await queue(transaction, head, [document])
    const retry = { version: document.version, seq: queued?.seq ?? head.head }
    await recordDocument(deps, transaction, who, 'document.retried', head, { documentId, ...retry })
    return retry
  }
  const retried = await inScope(deps, who, scopeId, storingResult(keep, work))
  deps.noteQueued?.(who, scopeId, retried.seq, 1)
  return retried
}

export interface RemovalResult {
  readonly versions: number
  readonly seq: number
}

/**
 * Removes a document. Its row stays as a tombstone; its text, reading, claims and work are deleted in this transaction, and so
 * are the findings that depend on its claims. If the removal needs many comparisons, workers make them later, as comparison steps.
 */
export async function removeDocument(
  deps: RemovalDeps,
  who: TenantCaller,
  scopeId: string,
  documentId: string,
): Promise<RemovalResult> {
  return inScope(deps, who, scopeId, async (transaction, head, seal) => {
    const document = await store.selectDocument(transaction, scopeId, documentId)
    if (!document || document.status === 'removed') throw new Fault('document_not_found')
    const versions = await store.removeDocumentContent(transaction, scopeId, documentId)
    const { version } = document
    const seq = await appendEvents(transaction, head, [
      { kind: 'document.removed', documentId, version, data: {} },
    ])
    const removal = { documentId, version: document.version, seq }
    await recordDocument(deps, transaction, who, 'document.removed', head, removal)
    await removeClaims(deps, transaction, { scopeId, seal, documentId })
    return { versions, seq }
  })
}

/** With more claims than this, there are too many groups to load on the main thread. */
const MAX_CLAIMS = 30

async function removeClaims(
  deps: RemovalDeps,
  transaction: TenantTransaction,
  { scopeId, seal, documentId }: { scopeId: string; seal: ScopeSeal; documentId: string },
): Promise<void> {
  const { connection, tenantId } = transaction
  const documents = [{ documentId, claims: [], isRemoved: true }]
  const change = { tenantId, scopeId, seal, documents }
  if (!(await hasMoreClaims(transaction, scopeId, documentId, MAX_CLAIMS))) {
    try {
      return await compareClaims(connection, [change], { ...deps, maxWork: MAX_WORK })
    } catch (error) {
      // WorkLimitExceeded is thrown before anything is written.
      if (!(error instanceof WorkLimitExceeded)) throw error
    }
  }
  await removeFromComparison(transaction, change, documentId, deps)
}

async function recordDocument(
  deps: RemovalDeps,
  { connection }: TenantTransaction,
  who: TenantCaller,
  action: DocumentAction,
  head: ScopeHead,
  change: DocumentChange,
): Promise<void> {
  await recordAudit(connection, deps.auditor, [documentAudit(deps, who, action, head, change)])
}

type DocumentAction = 'document.removed' | 'document.retried'

interface DocumentChange {
  readonly documentId: string
  readonly version: number
  readonly seq: number
}

/** The audit entry has no document id. The log of the scope has it, at `seq`, until the scope is reset. */
export function documentAudit(
  { auditor }: RemovalDeps,
  who: TenantCaller,
  action: DocumentAction,
  { scopeId, epoch }: ScopeHead,
  { documentId, version, seq }: DocumentChange,
): AuditEvent {
  const { tenantId } = who
  const subject = documentFingerprint(auditor, tenantId, scopeId, documentId)
  return { action, who, tenantId, scopeId, subject, details: { epoch, version, seq } }
}

export async function getDocument(
  deps: DocumentsDeps,
  who: TenantCaller,
  scopeId: string,
  documentId: string,
  request: PageRequest = NEWEST_VERSIONS,
): Promise<{ readonly document: DecryptedDocument; readonly versions: Page<VersionRow> }> {
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
    document: decryptDocument(scopeId, row, seal),
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
): Promise<StoredDocumentRow> {
  const row = await store.selectDocument(transaction, scopeId, documentId)
  if (!row) throw new Fault('document_not_found')
  return row
}

/** Returns the seal of the scope. A cached seal is fetched again if a row is newer, that is, if the scope was reset since. */
export async function sealFor(
  { seals }: DocumentsDeps,
  { tenantId }: TenantCaller,
  scopeId: string,
  rows: readonly StoredDocumentRow[],
): Promise<ScopeSeal> {
  const seal = await seals.get(tenantId, scopeId)
  if (rows.every(({ epoch }) => epoch <= seal.epoch)) return seal
  seals.forget(tenantId, scopeId, seal.epoch)
  return seals.get(tenantId, scopeId)
}

/** Decrypts the card and labels of a row. A removed document has none, and those of another generation cannot be decrypted. */
export function decryptDocument(scopeId: string, row: StoredDocumentRow, seal: ScopeSeal): DecryptedDocument {
  const { fingerprint: _, sealedCard, sealedLabels, ...columns } = row
  const isCurrent = row.epoch === seal.epoch
  const card = sealedCard !== null && isCurrent ? openCard(seal, row.documentId, sealedCard) : NO_CARD
  const labels =
    sealedLabels !== null && isCurrent ? openLabels(seal, row.documentId, sealedLabels) : NO_LABELS
  return { ...columns, ...card, ...labels, scopeId }
}

const NO_CARD: DocumentCard = { name: '', source: null, provenance: null }
