/**
 * Accepting a document: sealed, fingerprinted, and written together with everybody else's in one commit. When the
 * promise returned here resolves, the document is on disk.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { TenantCaller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import type { FileLayout } from '../../domain/file-layout.ts'
import type { Fingerprints } from '../../platform/fingerprint.ts'
import { BacklogOverrun } from '../../platform/waiting-list.ts'
import { createBatcher } from '../../platform/batcher.ts'
import type { Batcher } from '../../platform/batcher.ts'
import { acceptDocuments } from '../../store/documents/accepting.ts'
import type { AcceptAnswer, NewDocument } from '../../store/documents/accepting.ts'
import { isConflict, isUnavailable } from '../../store/failures.ts'
import { INGEST_CONNECTIONS } from '../../store/pools.ts'
import type { Pool } from '../../store/pools.ts'
import { contentParts, sealCard } from './document-card.ts'
import type { ScopeSeal, ScopeSeals } from '../scopes/scope-seals.ts'

export interface IngestRequest {
  readonly scopeId: string
  readonly name: string
  readonly type: string
  readonly text: string
  /** In Unicode code points. */
  readonly characters: number
  readonly documentId: string | null
  readonly source: string | null
  readonly idempotencyKey: string | null
  /** The layout of the file that the text was read from. */
  readonly layout?: FileLayout
  /** By the monotonic clock; a document that is still on the list then is not written any more. */
  readonly answerBy?: number
}

export interface Accepted {
  readonly documentId: string
  readonly seq: number
  /** The answer of an earlier request. */
  readonly replayed: boolean
}

export interface Ingest {
  ingestDocument(who: TenantCaller, what: IngestRequest): Promise<Accepted>
  /** Each stands for itself; those that touch each other are written in the order given. */
  ingestAll(who: TenantCaller, all: readonly IngestRequest[]): Promise<PromiseSettledResult<Accepted>[]>
  /** Resolves when everything handed in has been answered. */
  drain(): Promise<void>
}

export interface IngestDeps {
  readonly pool: Pool
  readonly seals: ScopeSeals
  readonly fingerprints: Fingerprints
  /** Makes a scope that is not there; left out where scopes are not made by sending to them. */
  readonly ensureScope?: ((who: TenantCaller, scopeId: string) => Promise<void>) | undefined
  /** Told after the commit which scope has something new. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
  /** Told of every statement that accepts: how many documents it wrote, and how long it took. */
  readonly recordBatch?: (documents: number, ms: number) => void
}

/** A reset between sealing and writing is rare; one that happens three times in a row is not a coincidence. */
const MAX_SEALINGS = 10

/** A request is answered within 5 s, and then with 503: its document must not be written after that. */
const MAX_BUSY_MS = 3_500

export function createIngest(deps: IngestDeps): Ingest {
  const batcher = createIngestBatcher(deps)
  return {
    ingestDocument: (who, what) => accept(deps, batcher, who, what),
    async ingestAll(who, all) {
      // With the seals at hand, each document is handed on before the next is looked at.
      const scopes = new Set(all.map(({ scopeId }) => scopeId))
      await Promise.allSettled([...scopes].map((scopeId) => sealOf(deps, who, scopeId)))
      return Promise.allSettled(all.map((what) => accept(deps, batcher, who, what)))
    },
    drain: () => batcher.drain(),
  }
}

function createIngestBatcher({ pool, recordBatch }: IngestDeps): Batcher<PendingDocument, AcceptAnswer> {
  return createBatcher({
    async write(documents) {
      const startMs = performance.now()
      const answers = await acceptOnceMore(pool, documents)
      recordBatch?.(documents.length, performance.now() - startMs)
      return answers
    },
    keysOf: ({ tenantId, scopeId, documentId, idempotency }) => [
      `document ${tenantId} ${scopeId} ${documentId}`,
      ...(idempotency ? [`key ${tenantId} ${idempotency.keyHash.toString('base64')}`] : []),
    ],
    // The head of a scope is held until the commit.
    placeOf: ({ tenantId, scopeId }) => `${tenantId} ${scopeId}`,
    sizeOf: ({ sealedText }) => sealedText.length,
    maxItems: 256,
    maxSize: 4 * 1024 * 1024,
    concurrency: INGEST_CONNECTIONS,
    // More than clients send one by one: batches, or very many of them.
    bulkThreshold: () => 16,
    dueAtOf: ({ answerBy }) => answerBy,
    // A database that is away is away for each of them; anything else may be the fault of one.
    retryIndividually: (error) => !isUnavailable(error),
    isBusy: ({ outcome }) => outcome === 'busy',
    maxBusyMs: MAX_BUSY_MS,
  })
}

/** When its request was answered 503, a document leaves the list. */
interface PendingDocument extends NewDocument {
  readonly answerBy: number
}

async function writeInTime(
  batcher: Batcher<PendingDocument, AcceptAnswer>,
  document: PendingDocument,
): Promise<AcceptAnswer> {
  try {
    return await batcher.write(document)
  } catch (error) {
    if (!(error instanceof BacklogOverrun)) throw error
    throw new Fault('overloaded', { internal: error.message, cause: error })
  }
}

/** One key that comes through two scopes at the same moment makes one of the two transactions give in. */
async function acceptOnceMore(pool: Pool, documents: readonly NewDocument[]): Promise<AcceptAnswer[]> {
  try {
    return await acceptDocuments(pool, documents)
  } catch (error) {
    if (!isConflict(error)) throw error
    return acceptDocuments(pool, documents)
  }
}

async function accept(
  deps: IngestDeps,
  batcher: Batcher<PendingDocument, AcceptAnswer>,
  who: TenantCaller,
  what: IngestRequest,
): Promise<Accepted> {
  const { tenantId } = who
  const prints = fingerprintsOf(deps.fingerprints, tenantId, what)
  const documentId = what.documentId ?? randomUUIDv7()
  for (let sealing = 0; sealing < MAX_SEALINGS; sealing += 1) {
    // oxlint-disable-next-line no-await-in-loop -- sealed anew only when the scope was reset meanwhile
    const sealed = await sealDocument(deps, who, documentId, what, prints)
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

interface DocumentPrints {
  readonly content: Buffer
  readonly idempotency: { readonly keyHash: Buffer; readonly request: Buffer } | null
}

/** The content decides whether a document_id repeats; the whole request whether an idempotency key does. */
function fingerprintsOf(fingerprints: Fingerprints, tenantId: string, what: IngestRequest): DocumentPrints {
  const print = fingerprints(tenantId)
  const content = print(contentParts({ ...what, provenance: null }))
  // @point ingest.idempotency-key
  if (what.idempotencyKey === null) return { content, idempotency: null }
  const request = print([what.scopeId, what.documentId, content.toString('hex')])
  return { content, idempotency: { keyHash: print(['key', what.idempotencyKey]), request } }
}

/** Where scopes are made by sending to them, one that is not there is made first. */
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
  prints: DocumentPrints,
): Promise<NewDocument> {
  // @point ingest.seal
  const { tenantId } = who
  const seal = await sealOf(deps, who, what.scopeId)
  return {
    tenantId,
    scopeId: what.scopeId,
    epoch: seal.epoch,
    documentId,
    type: what.type,
    characters: what.characters,
    fingerprint: prints.content,
    idempotency: prints.idempotency,
    sealedCard: sealCard(seal, documentId, { ...what, provenance: null }),
    // @point ingest.seal.text
    sealedText: seal.seal('text', documentId, Buffer.from(what.text)),
  }
}
