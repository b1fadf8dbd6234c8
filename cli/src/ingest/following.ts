/** Follows the log of a scope while documents go through, and keeps the board up to date. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Concord, DocumentDetail, EventOf } from '@concord/client'
import type { Board, IngestEvent } from './board.ts'

export interface Following {
  /** Contradictions that were opened meanwhile; null where the log could not be followed. */
  opened(): number | null
  /** Until everything up to this position was told. */
  reach(head: number): Promise<void>
  stop(): void
}

type ScopeEvent = EventOf<Concord['streamOwnScopeEvents']>

const LOOK_EVERY_MS = 1_000
const CATCH_UP_MS = 5_000

export function followScope(concord: Concord, scopeId: string, after: number, board: Board): Following {
  const leaving = new AbortController()
  const { signal } = leaving
  let opened: number | null = 0
  let position = after
  const stream = concord.streamOwnScopeEvents({ scopeId, after }, { signal })
  const read = async () => {
    for await (const event of stream) {
      if (event.type === 'resync') continue
      position = event.data.seq ?? position
      if (event.type === 'contradiction.opened' && opened !== null) opened += 1
      const told = toldBy(event)
      if (told) board.tell(told.documentId, told)
    }
  }
  // A command that may open no stream looks at the documents themselves.
  const following = read().catch(async () => {
    opened = null
    if (!signal.aborted) await look(concord, scopeId, board, signal)
  })
  void following.catch(() => undefined)
  return {
    opened: () => opened,
    async reach(head) {
      const until = Date.now() + CATCH_UP_MS
      const isBehind = () => opened !== null && position < head && Date.now() < until
      // oxlint-disable-next-line no-await-in-loop -- looks again in a moment
      while (isBehind()) await delay(20)
    },
    stop() {
      leaving.abort()
      stream.close()
    },
  }
}

function toldBy(event: ScopeEvent): (IngestEvent & { readonly documentId: string }) | undefined {
  switch (event.type) {
    case 'document.queued':
      return { ...placeOf(event.data), step: 'queued', reason: null }
    case 'document.processing':
      return { ...placeOf(event.data), step: 'processing', reason: null }
    case 'document.processed':
      return { ...placeOf(event.data), step: 'processed', reason: null, reading: event.data.reading }
    case 'document.held':
      return { ...placeOf(event.data), step: 'held', reason: event.data.reason }
    case 'document.failed':
      return { ...placeOf(event.data), step: 'failed', reason: event.data.reason }
    case 'document.removed':
      return { ...placeOf(event.data), step: 'failed', reason: 'removed meanwhile' }
    default:
      return undefined
  }
}

function placeOf({ document_id: documentId, seq }: { readonly document_id: string; readonly seq: number }) {
  return { documentId, seq }
}

/** The standing that the record of a document states. */
export function standingOf({ status, error, hold, reading }: DocumentDetail): Omit<IngestEvent, 'seq'> {
  switch (status) {
    case 'processed':
      return { step: 'processed', reason: null, reading }
    case 'held':
      return { step: 'held', reason: hold?.reason ?? null }
    case 'failed':
      return { step: 'failed', reason: error?.message ?? null }
    case 'removed':
      return { step: 'failed', reason: 'removed meanwhile' }
    case 'processing':
      return { step: 'processing', reason: null }
    default:
      return { step: 'queued', reason: null }
  }
}

async function look(concord: Concord, scopeId: string, board: Board, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const { source, step } of board.standings) {
      if (step !== 'queued' && step !== 'processing') continue
      // oxlint-disable-next-line no-await-in-loop -- few, and one after the other
      const found = await concord.getDocument({ scopeId, documentId: source.documentId }, { signal })
      board.tell(source.documentId, { ...standingOf(found), seq: Number.MAX_SAFE_INTEGER })
    }
    // oxlint-disable-next-line no-await-in-loop -- looks again in a moment
    await delay(LOOK_EVERY_MS, undefined, { signal })
  }
}
