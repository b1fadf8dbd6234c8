/** Where each document stands: what was done here, and what the log of the scope tells, in whichever order they come. */
import type { Reading, UnreadFilePart } from '@concord/client'
import type { Source } from './sources.ts'

export type IngestStep =
  | 'waiting'
  | 'reading'
  | 'sending'
  | 'queued'
  | 'processing'
  | 'processed'
  | 'held'
  | 'failed'

export interface Standing {
  readonly source: Source
  readonly step: IngestStep
  /** Known before: nothing was queued anew. */
  readonly repeated: boolean
  readonly accepted: boolean
  readonly reason: string | null
  /** How much of it was read; null unless it is processed. */
  readonly reading: Reading | null
  /** Parts of the file that have no text, or are files of their own. */
  readonly unread: readonly UnreadFilePart[]
}

/** An event of the log about a document. */
export interface IngestEvent {
  readonly seq: number
  readonly step: IngestStep
  readonly reason: string | null
  readonly reading?: Reading | null
}

export interface Board {
  readonly standings: readonly Standing[]
  move(source: Source, step: 'reading' | 'sending'): void
  fail(source: Source, reason: string): void
  noteUnread(source: Source, unread: readonly UnreadFilePart[]): void
  /** The service has it: from `seq` on the log tells of it. */
  accept(source: Source, seq: number): void
  /** It had it before; `now` is where it stands. */
  recognise(source: Source, seq: number, now: Omit<IngestEvent, 'seq'>): void
  /** An event of any document of the scope; others than ours do not count. */
  tell(documentId: string, told: IngestEvent): void
  /** Resolves once nothing that was sent so far is under way. */
  untilIdle(): Promise<void>
  /** Resolves once nothing of ours can change any more. */
  readonly settled: Promise<void>
  /** Nothing more will be sent. */
  close(): void
}

const ENDS: ReadonlySet<IngestStep> = new Set(['processed', 'held', 'failed'])

interface Entry extends Standing {
  /** After which position of the log something is about what was sent. */
  readonly since: number | undefined
  readonly told: IngestEvent | undefined
}

function standingIn({ step, reason, reading = null }: Omit<IngestEvent, 'seq'>) {
  return { step, reason, reading }
}

export function createBoard(
  sources: readonly Source[],
  onChange: (standing: Standing) => void = () => undefined,
): Board {
  const entries = new Map<string, Entry>(
    sources.map((source) => [
      source.documentId,
      {
        source,
        step: 'waiting',
        repeated: false,
        accepted: false,
        reason: null,
        reading: null,
        unread: [],
        since: undefined,
        told: undefined,
      },
    ]),
  )
  const { promise: settled, resolve } = Promise.withResolvers<void>()
  let idle = Promise.withResolvers<void>()
  let closed = false
  const check = () => {
    if (![...entries.values()].every(({ step }) => ENDS.has(step) || step === 'waiting')) return
    idle.resolve()
    idle = Promise.withResolvers<void>()
    if (closed) resolve()
  }
  const update = ({ documentId }: Pick<Source, 'documentId'>, change: (entry: Entry) => Partial<Entry>) => {
    const entry = entries.get(documentId)
    if (!entry) return
    const next = { ...entry, ...change(entry) }
    entries.set(documentId, next)
    if (next.step !== entry.step || next.accepted !== entry.accepted) onChange(next)
    check()
  }
  /** An entry of the log already counts more than what an answer said, which was true a moment before. */
  const begin = (seq: number, now: Omit<IngestEvent, 'seq'>) => (entry: Entry) => {
    const told = entry.told && entry.told.seq > seq ? entry.told : { ...now, seq }
    return { since: seq, ...standingIn(told) }
  }
  return {
    get standings() {
      return [...entries.values()]
    },
    settled,
    async untilIdle() {
      const { promise } = idle
      check()
      return promise
    },
    move: (source, step) => update(source, () => ({ step })),
    noteUnread: (source, unread) => update(source, () => ({ unread })),
    fail: (source, reason) => update(source, () => ({ step: 'failed', reason })),
    accept: (source, seq) =>
      update(source, (entry) => ({
        ...begin(seq, { step: 'queued', reason: null })(entry),
        accepted: true,
      })),
    recognise: (source, seq, now) =>
      update(source, (entry) => ({ ...begin(seq, now)(entry), repeated: true })),
    tell: (documentId, told) =>
      update({ documentId }, ({ since }) => {
        if (since === undefined) return { told }
        return told.seq > since ? { told, ...standingIn(told) } : {}
      }),
    close() {
      closed = true
      check()
    },
  }
}
