/** Waiting for a document to come to its end: told by the stream of its scope, confirmed by its record. */
import { DocumentNotProcessed, isProblem, TimedOut } from './errors.ts'
import type { EventOf } from './calls.ts'
import type { Methods } from './generated/methods.ts'
import type { DocumentDetail, DocumentStatus, IngestDocumentRequest } from './generated/schemas.ts'
import { linkSignal, pause } from './pausing.ts'
import type { EventStream } from './streaming.ts'

/** Which document is waited for. */
export interface WaitTarget {
  readonly scopeId: string
  readonly documentId: string
  /** The newest one where nothing is said. */
  readonly version?: number
}

export interface WaitOptions {
  /** How long to wait, in milliseconds: five minutes where nothing is said. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface Waiting {
  /**
   * Waits until the document is `processed` and gives its record. Any other end is thrown as `DocumentNotProcessed`, too
   * long a wait as `TimedOut`.
   *
   * @example
   * const document = await concord.waitFor({ scopeId: 'first-case', documentId: 'report-2025' })
   * console.log(document.version, document.status)
   */
  waitFor(target: WaitTarget, options?: WaitOptions): Promise<DocumentDetail>
  /**
   * Sends a document and waits until it is `processed`; `waitFor` says how that can end. Repeating it is harmless: the key
   * is made once, and of a document that is there already the first answer counts.
   *
   * @example
   * const document = await concord.ingestAndWait(
   *   { scope_id: 'first-case', name: 'Press release', text: 'Borealis Ltd had 240 employees in 2025.' },
   *   { timeoutMs: 60_000 },
   * )
   * console.log(document.document_id, document.status)
   */
  ingestAndWait(document: IngestDocumentRequest, options?: WaitOptions): Promise<DocumentDetail>
}

type Asking = Pick<Methods, 'getDocument' | 'getOwnScope' | 'ingestDocument' | 'streamOwnScopeEvents'>
type ScopeEvent = EventOf<Methods['streamOwnScopeEvents']>

const TIMEOUT_MS = 300_000
const LOOK_AGAIN_MS = 1_000

export function createWaiting(concord: Asking): Waiting {
  return {
    waitFor: (target, options) =>
      withinTime(options, async (signal) => {
        // The position first: what happens after it is on the stream, what happened before it in the record.
        const { scopeId, documentId } = target
        const { log_head: head } = await concord.getOwnScope({ scopeId }, { signal })
        const document = await concord.getDocument({ scopeId, documentId }, { signal })
        const version = target.version ?? document.version
        const status = statusOf(document, version)
        if (terminal.has(status)) return settle(documentId, status, document)
        return untilEnd(concord, { ...target, version, after: head ?? 0 }, signal)
      }),
    ingestAndWait: (document, options) =>
      withinTime(options, async (signal) => {
        const { document_id: documentId, seq } = await concord.ingestDocument(document, { signal })
        if (documentId === null || seq === null)
          throw new TypeError('The service did not say what it queued.')
        const target = { scopeId: document.scope_id, documentId, queuedAt: seq, after: seq - 1 }
        return untilEnd(concord, target, signal)
      }),
  }
}

async function withinTime(
  { timeoutMs = TIMEOUT_MS, signal }: WaitOptions = {},
  work: (signal: AbortSignal) => Promise<DocumentDetail>,
): Promise<DocumentDetail> {
  const linked = linkSignal(signal)
  const late = new TimedOut(`The document was not at its end within ${timeoutMs} ms.`)
  const timer = setTimeout(() => linked.abort(late), timeoutMs)
  try {
    return await work(linked.signal)
  } finally {
    clearTimeout(timer)
    linked.release()
  }
}

interface Followed extends WaitTarget {
  readonly after: number
  /** Where `document.queued` of the version stands, while its number is not known. */
  readonly queuedAt?: number
}

async function untilEnd(concord: Asking, target: Followed, signal: AbortSignal): Promise<DocumentDetail> {
  const { scopeId, after } = target
  const stream = concord.streamOwnScopeEvents({ scopeId, after }, { signal })
  try {
    return await readToEnd(concord, target, stream, signal)
  } catch (error) {
    // One stream more than the tenant may have open: looking now and then does as well.
    if (!isProblem(error, 'too_many_streams')) throw error
    return await lookUntilEnd(concord, target, signal)
  } finally {
    stream.close()
  }
}

async function readToEnd(
  concord: Asking,
  { queuedAt, ...target }: Followed,
  stream: EventStream<ScopeEvent>,
  signal: AbortSignal,
): Promise<DocumentDetail> {
  let { version } = target
  for await (const event of stream) {
    // An erased scope sends nothing more.
    if (event.type === 'resync' || event.type === 'scope.reset') return lookUntilEnd(concord, target, signal)
    if (!('document_id' in event.data) || event.data.document_id !== target.documentId) continue
    if (event.data.seq === queuedAt) version = event.data.version
    const status = ends[event.type]
    if (!status || event.data.version !== version) continue
    return settle(target.documentId, status, await recordOf(concord, target, status, signal))
  }
  throw new TimedOut('The stream ended before the document did.')
}

/** The record of a document that was removed may be gone with it. */
async function recordOf(
  concord: Asking,
  { scopeId, documentId }: WaitTarget,
  status: DocumentStatus,
  signal: AbortSignal,
): Promise<DocumentDetail | undefined> {
  try {
    return await concord.getDocument({ scopeId, documentId }, { signal })
  } catch (error) {
    if (status === 'removed' && isProblem(error, 'document_not_found')) return undefined
    throw error
  }
}

async function lookUntilEnd(
  concord: Asking,
  { scopeId, documentId, version }: WaitTarget,
  signal: AbortSignal,
): Promise<DocumentDetail> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- looks, waits and looks again
    const document = await concord.getDocument({ scopeId, documentId }, { signal })
    const status = statusOf(document, version ?? document.version)
    if (terminal.has(status)) return settle(documentId, status, document)
    // oxlint-disable-next-line no-await-in-loop -- looks, waits and looks again
    await pause(LOOK_AGAIN_MS, signal)
  }
}

/** The kinds of event that tell of an end, and which. */
const ends: Readonly<Record<string, DocumentStatus>> = {
  'document.processed': 'processed',
  'document.held': 'held',
  'document.failed': 'failed',
  'document.superseded': 'superseded',
  'document.removed': 'removed',
}

const terminal: ReadonlySet<DocumentStatus> = new Set(Object.values(ends))

function statusOf(document: DocumentDetail, version: number): DocumentStatus {
  const shown = document.versions.find((each) => each.version === version)
  if (shown) return shown.status
  // An older version that is not among the newest was replaced, and may be kept no longer.
  return version < document.version && document.status !== 'removed' ? 'superseded' : document.status
}

function settle(
  documentId: string,
  status: DocumentStatus,
  document: DocumentDetail | undefined,
): DocumentDetail {
  if (status === 'processed' && document) return document
  throw new DocumentNotProcessed(documentId, status, document)
}
