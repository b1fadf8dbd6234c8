/** Reads files and hands them in, a few at a time; what one of them meets is its own affair. */
import { ConcordProblem } from '@concord/client'
import type { Concord, FileType } from '@concord/client'
import { explainFailure } from '../failure.ts'
import type { Board } from './board.ts'
import { readShortText } from './file-types.ts'
import type { IngestLabels } from './labels.ts'
import { standingOf } from './following.ts'
import type { Source } from './sources.ts'

export interface IngestSending {
  readonly concord: Concord
  readonly scopeId: string
  readonly board: Board
  readonly concurrency: number
  /** Try again what failed there before. */
  readonly retryFailed: boolean
  /** Set on every document. */
  readonly labels?: IngestLabels | undefined
  readonly signal: AbortSignal
  /** Awaited after each document, before the same line sends its next one. */
  readonly afterEach?: () => Promise<unknown>
}

/** Throws what would meet every document alike, such as a key that was revoked. */
export async function sendAll(sending: IngestSending, sources: readonly Source[]): Promise<void> {
  const waiting = sources.values()
  const work = async () => {
    for (const source of waiting) {
      if (sending.signal.aborted) return
      // oxlint-disable-next-line no-await-in-loop -- each of these lines takes one after the other
      await sendOne(sending, source)
      // oxlint-disable-next-line no-await-in-loop -- the next document waits for this
      await sending.afterEach?.()
    }
  }
  await Promise.all(Array.from({ length: sending.concurrency }, work))
}

async function sendOne(sending: IngestSending, source: Source): Promise<void> {
  const { board, signal } = sending
  try {
    board.move(source, 'reading')
    if (!source.type) throw new Error('It is of no type that can be read.')
    const bytes = await source.read()
    if (bytes.length > MAX_FILE_BYTES)
      throw new Error(`It is larger than ${MAX_FILE_BYTES / 1_048_576} MiB; split it.`)
    if (bytes.length === 0) throw new Error('There is no text in it.')
    const text = readShortText(source.type, bytes)
    board.move(source, 'sending')
    await handIn(sending, source, source.type, contentOf(text, bytes, sending.labels))
  } catch (error) {
    if (signal.aborted || isOfAll(error)) throw error
    board.fail(source, explainFailure(error).split('\n').join(' '))
  }
}

/** A text that gets labels goes the way of files, because the ingestion of texts takes none. */
function contentOf(
  text: string | undefined,
  bytes: Uint8Array,
  labels: IngestLabels | undefined,
): string | Uint8Array {
  if (text === undefined) return bytes
  return labels ? new TextEncoder().encode(text) : text
}

/** No key of ours goes with it: the id and the content say whether it is the same, for good and not only for thirty days. */
async function handIn(
  { concord, scopeId, board, signal, retryFailed, labels }: IngestSending,
  source: Source,
  type: FileType,
  content: string | Uint8Array,
): Promise<void> {
  const { documentId, name } = source
  const document = { document_id: documentId, name, type }
  const options = { signal, ...PATIENT }
  let answer: { readonly headers: Headers; readonly body: { readonly seq: number | null } }
  if (typeof content === 'string')
    answer = await concord.ingestDocument.raw({ ...document, scope_id: scopeId, text: content }, options)
  else {
    const file = { ...document, ...labels, scopeId, file: content }
    const { headers, body } = await concord.ingestFile.raw(file, options)
    board.noteUnread(source, body.unread)
    answer = { headers, body }
  }
  const seq = answer.body.seq ?? 0
  if (answer.headers.get('idempotency-replayed') !== 'true') return board.accept(source, seq)
  const now = standingOf(await concord.getDocument({ scopeId, documentId }, { signal }))
  if (now.step !== 'failed' || !retryFailed) return board.recognise(source, seq, now)
  const again = await concord.retryDocument({ scopeId, documentId }, { signal })
  board.accept(source, again.seq)
}

/** The limit of the service. */
const MAX_FILE_BYTES = 25 * 1_048_576

/** A queue that is full and a rate that is used up pass; whoever hands in many waits for them. */
const PATIENT = { attempts: 30, timeoutMs: 600_000 }

function isOfAll(error: unknown): boolean {
  if (!(error instanceof ConcordProblem)) return false
  return error.status === 401 || error.status === 403 || error.code === 'scope_not_found'
}
