/**
 * Accepts documents: encrypts and fingerprints them, and writes documents of many requests in one transaction. When the
 * promise resolves, the document is durable.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { FileLayout } from '../../domain/file-layout.ts'
import type { Fingerprints } from '../../platform/fingerprint.ts'
import { BacklogOverrun } from '../../platform/waiting-list.ts'
import { createBatcher } from '../../platform/batcher.ts'
import type { Batcher } from '../../platform/batcher.ts'
import { nextTurn, slicesOf } from '../../platform/event-loop-turns.ts'
import { acceptDocuments } from '../../store/documents/acceptance.ts'
import type { AcceptResult, NewDocument } from '../../store/documents/acceptance.ts'
import { isConflict, isUnavailable } from '../../store/failures.ts'
import { INGEST_CONNECTIONS } from '../../store/pools.ts'
import type { Pool } from '../../store/pools.ts'
import { contentParts, sealCard, sealLayout, unreadPartsOf } from './document-card.ts'
import { encodeLabels } from './labels.ts'
import type { Labels } from './labels.ts'
import type { ScopeSeal, ScopeSeals } from '../scopes/scope-seals.ts'

export interface IngestRequest {
  readonly scopeId: string
  readonly name: string
  readonly type: string
  readonly text: string
  /** Length in Unicode code points. */
  readonly characters: number
  readonly documentId: string | null
  readonly source: string | null
  readonly idempotencyKey: string | null
  /** The layout of the file that the text was read from. */
  readonly layout?: FileLayout
  /** The labels that the document gets. Without them it keeps those that it has. */
  readonly labels?: Labels | null
  /** The deadline by the monotonic clock. A document that is still waiting then is not written. */
  readonly answerBy?: number
}

export interface AcceptedDocument {
  readonly documentId: string
  readonly seq: number
  /** True if this is the answer of an earlier request. */
  readonly replayed: boolean
}

export interface Ingest {
  ingestDocument(who: TenantCaller, what: IngestRequest): Promise<AcceptedDocument>
  /** Accepts each document independently. Documents with the same id or idempotency key are written in the order given. */
  ingestAll(
    who: TenantCaller,
    all: readonly IngestRequest[],
  ): Promise<PromiseSettledResult<AcceptedDocument>[]>
  /** Resolves when all pending documents have been answered. */
  drain(): Promise<void>
}

export interface IngestDeps {
  readonly pool: Pool
  readonly seals: ScopeSeals
  readonly fingerprints: Fingerprints
  /** Creates a missing scope. Undefined if ingest does not create scopes. */
  readonly ensureScope?: ((who: TenantCaller, scopeId: string) => Promise<void>) | undefined
  /** Called after the commit with the scope that has new events. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
  /** Called for each batch with the number of documents and the duration. */
  readonly recordBatch?: (documents: number, ms: number) => void
}

/** How often a document is encrypted again because the scope was reset between encrypting and writing. */
const MAX_SEALINGS = 10

/** The maximum number of characters that are fingerprinted and sealed in one turn of the event loop. */
const MAX_CHARACTERS_A_TURN = 400_000

/** The maximum wait for the lock of the scope. After 5 s the request is answered 503, and its document must not be written then. */
const MAX_BUSY_MS = 3_500

/** The number of documents of one tenant that may wait in this process. Further ones are refused as overloaded. */
const MAX_WAITING = 4_000

export function createIngest(deps: IngestDeps): Ingest {
  const batcher = createIngestBatcher(deps)
  return {
    ingestDocument: (who, what) => accept(deps, batcher, who, what),
    async ingestAll(who, all) {
      // Loads the seals first, so that the documents enter the batcher in their order.
      const scopes = new Set(all.map(({ scopeId }) => scopeId))
      await Promise.allSettled([...scopes].map((scopeId) => sealOf(deps, who, scopeId)))
      return Promise.allSettled(await startInTurns(all, (what) => accept(deps, batcher, who, what)))
    },
    drain: () => batcher.drain(),
  }
}

/**
 * Fingerprinting and sealing a million characters takes some 10 ms. A batch of 5 MB would keep the event loop for 50 ms, and
 * several of them for the sum of that.
 */
async function startInTurns(
  all: readonly IngestRequest[],
  start: (what: IngestRequest) => Promise<AcceptedDocument>,
): Promise<Promise<AcceptedDocument>[]> {
  const slices = slicesOf(all, ({ text }) => text.length, MAX_CHARACTERS_A_TURN)
  const started: Promise<AcceptedDocument>[] = []
  for (const slice of slices) {
    // oxlint-disable-next-line no-await-in-loop -- other requests have a turn in between
    if (slices.length > 1) await nextTurn()
    for (const what of slice) {
      const one = start(what)
      // A rejection is looked at when all have been started, which may be many turns later.
      one.catch(() => undefined)
      started.push(one)
    }
  }
  return started
}

function createIngestBatcher({ pool, recordBatch }: IngestDeps): Batcher<PendingDocument, AcceptResult> {
  return createBatcher({
    async write(documents) {
      const startMs = performance.now()
      const answers = await acceptOnceMore(pool, documents)
      recordBatch?.(documents.length, performance.now() - startMs)
      return answers
    },
    orderKeysOf: ({ tenantId, scopeId, documentId, idempotency }) => [
      `document ${tenantId} ${scopeId} ${documentId}`,
      ...(idempotency ? [`key ${tenantId} ${idempotency.keyHash.toString('base64')}`] : []),
    ],
    // Batches are formed by scope, because a transaction locks the scope's head until it commits.
    lockKeyOf: ({ tenantId, scopeId }) => `${tenantId} ${scopeId}`,
    sizeOf: ({ sealedCard, sealedLayout, sealedText }) =>
      sealedCard.length + (sealedLayout?.length ?? 0) + sealedText.length,
    ownerOf: ({ tenantId }) => tenantId,
    maxWaitingPerOwner: MAX_WAITING,
    maxItems: 256,
    maxSize: 4 * 1024 * 1024,
    concurrency: INGEST_CONNECTIONS,
    // Clients that send one by one rarely reach this; batches and very many clients do.
    bulkThreshold: () => 16,
    dueAtOf: ({ answerBy }) => answerBy,
    // During an outage a retry of each document would fail too; any other error may be caused by one document.
    retryIndividually: (error) => !isUnavailable(error),
    isBusy: ({ outcome }) => outcome === 'busy',
    maxBusyMs: MAX_BUSY_MS,
  })
}

/** A document leaves the waiting list when its request has been answered 503. */
interface PendingDocument extends NewDocument {
  readonly answerBy: number
}

async function writeInTime(
  batcher: Batcher<PendingDocument, AcceptResult>,
  document: PendingDocument,
): Promise<AcceptResult> {
  try {
    return await batcher.write(document)
  } catch (error) {
    if (!(error instanceof BacklogOverrun)) throw error
    throw new Fault('overloaded', { internal: error.message, cause: error })
  }
}

/** Retries once: the same idempotency key in two scopes at the same time makes one of the transactions fail with a conflict. */
async function acceptOnceMore(pool: Pool, documents: readonly NewDocument[]): Promise<AcceptResult[]> {
  try {
    return await acceptDocuments(pool, documents)
  } catch (error) {
    if (!isConflict(error)) throw error
    return acceptDocuments(pool, documents)
  }
}

async function accept(
  deps: IngestDeps,
  batcher: Batcher<PendingDocument, AcceptResult>,
  who: TenantCaller,
  what: IngestRequest,
): Promise<AcceptedDocument> {
  const { tenantId } = who
  const fingerprints = fingerprintsOf(deps.fingerprints, tenantId, what)
  const documentId = what.documentId ?? randomUUIDv7()
  for (let sealing = 0; sealing < MAX_SEALINGS; sealing += 1) {
    // oxlint-disable-next-line no-await-in-loop -- sealed anew only when the scope was reset meanwhile
    const sealed = await sealDocument(deps, who, documentId, what, fingerprints)
    // oxlint-disable-next-line no-await-in-loop -- sealed anew only when the scope was reset meanwhile
    const answer = await writeInTime(batcher, { ...sealed, answerBy: what.answerBy ?? Infinity })
    if (answer.outcome === 'busy')
      throw new Fault('unavailable', { internal: 'somebody else holds the scope' })
    if (answer.outcome === 'key_reused') throw new Fault('idempotency_key_reused')
    if (answer.outcome === 'accepted' || answer.outcome === 'replayed') {
      if (answer.outcome === 'accepted') deps.announceEvents(tenantId, what.scopeId)
      return { documentId: answer.documentId, seq: answer.seq, replayed: answer.outcome === 'replayed' }
    }
    deps.seals.forget(tenantId, what.scopeId, sealed.epoch)
  }
  throw new Fault('unavailable', { internal: 'the scope was reset again and again' })
}

interface DocumentFingerprints {
  readonly content: Buffer
  readonly idempotency: { readonly keyHash: Buffer; readonly request: Buffer } | null
}

/** A document_id repeats if the content is the same, an idempotency key if the whole request is the same. */
function fingerprintsOf(
  fingerprints: Fingerprints,
  tenantId: string,
  what: IngestRequest,
): DocumentFingerprints {
  const fingerprint = fingerprints(tenantId)
  const content = fingerprint(contentParts({ ...what, provenance: null }))
  // @point ingest.idempotency-key
  if (what.idempotencyKey === null) return { content, idempotency: null }
  const labels = what.labels ? [JSON.stringify(what.labels)] : []
  const request = fingerprint([what.scopeId, what.documentId, content.toString('hex'), ...labels])
  return { content, idempotency: { keyHash: fingerprint(['key', what.idempotencyKey]), request } }
}

/** Returns the seal of the scope. Creates the scope first if ingest creates scopes. */
async function sealOf(
  { seals, ensureScope }: IngestDeps,
  who: TenantCaller,
  scopeId: string,
): Promise<ScopeSeal> {
  try {
    return await seals.get(who.tenantId, scopeId)
  } catch (error) {
    if (!ensureScope || !(error instanceof Fault && error.code === 'scope_not_found')) throw error
    await ensureScope(who, scopeId)
    return seals.get(who.tenantId, scopeId)
  }
}

async function sealDocument(
  deps: IngestDeps,
  who: TenantCaller,
  documentId: string,
  what: IngestRequest,
  fingerprints: DocumentFingerprints,
): Promise<NewDocument> {
  // @point ingest.seal
  const { tenantId } = who
  const seal = await sealOf(deps, who, what.scopeId)
  const { layout } = what
  const unread = layout && unreadPartsOf(layout)
  return {
    tenantId,
    scopeId: what.scopeId,
    epoch: seal.epoch,
    documentId,
    type: what.type,
    characters: what.characters,
    fingerprint: fingerprints.content,
    idempotency: fingerprints.idempotency,
    sealedCard: sealCard(seal, documentId, { ...what, provenance: null, unread }),
    sealedLayout: layout ? sealLayout(seal, documentId, layout) : null,
    // @point ingest.seal.text
    sealedText: seal.seal('text', documentId, Buffer.from(what.text)),
    labels: what.labels ? encodeLabels(seal, { scopeId: what.scopeId, documentId }, what.labels) : null,
  }
}
