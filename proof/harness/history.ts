/**
 * The calls of clients and their answers: one call for each document, with every try of it. The checker compares
 * this, and nothing that the service says of itself, with what is there in the end.
 */
import type { Place } from './places.ts'

/** ok: accepted. fail: certainly without effect. unknown: no answer, or one that leaves it open. */
export type CallOutcome = 'ok' | 'fail' | 'unknown'

export interface CallAttempt {
  /** Milliseconds since the epoch, like all moments of a history: Postgres on the same machine has the same clock. */
  readonly at: number
  /** How long the answer took, or the silence lasted. */
  readonly ms?: number
  readonly outcome: CallOutcome
  readonly what: string
}

export interface RecordedCall {
  readonly number: number
  readonly place: Place
  readonly key: string
  /** Unlike any other, and shown in lists: finds the document again without trusting its id. */
  readonly name: string
  /** Its text claims nothing, whatever its number. */
  readonly silent: boolean
  readonly tries: CallAttempt[]
  /** The first answer that accepted it, as it came. */
  answer: string | undefined
  documentId: string | undefined
  ackedAt: number | undefined
  /** Later answers that were not byte for byte the first. */
  differentAnswers: number
}

export type History = ReturnType<typeof createHistory>

export function createHistory(run: string, silent = false) {
  const calls: RecordedCall[] = []
  let acknowledged = 0
  return {
    calls: calls as readonly RecordedCall[],
    acknowledged: () => acknowledged,
    open(place: Place): RecordedCall {
      const number = calls.length
      const call: RecordedCall = {
        number,
        place,
        key: `${run}-${number}`,
        name: `document ${number}`,
        silent,
        tries: [],
        answer: undefined,
        documentId: undefined,
        ackedAt: undefined,
        differentAnswers: 0,
      }
      calls.push(call)
      return call
    },
    record(call: RecordedCall, attempt: CallAttempt, answer?: string): void {
      call.tries.push(attempt)
      if (attempt.outcome !== 'ok' || answer === undefined) return
      if (call.answer === undefined) {
        acknowledged += 1
        call.answer = answer
        call.documentId = (JSON.parse(answer) as { document_id: string }).document_id
        call.ackedAt = Date.now()
      } else if (call.answer !== answer) call.differentAnswers += 1
    },
  }
}

/** In a language that nothing is claimed in. */
export const SILENT_SENTENCE = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. '

const CLAIMING_ONE_IN = 10
const LONG_ONE_IN = 20

/**
 * Unlike any other. What is proved with these is how documents are kept and carried, and as many as the machine carries
 * show most of it, so most claim nothing. Half of those that do are long: a worker has such a one in hand for a while.
 */
export function textOf({ number, silent }: { readonly number: number; readonly silent?: boolean }): string {
  if (silent || number % CLAIMING_ONE_IN !== 0) return `Nota ${number}\n\n${SILENT_SENTENCE.repeat(6)}\n`
  const pages = number % LONG_ONE_IN === 0 ? 20 : 1
  return Array.from({ length: pages }, (_, page) => pageOf(number, page)).join('\n')
}

function pageOf(number: number, page: number): string {
  return (
    `Report ${number}, page ${page}\n\nThe delivery of lot ${number} was confirmed on the third of May. The price was ` +
    `${100 + (number % 900)} francs a piece. Nobody else was present when it was counted.\n\n` +
    `The second count gave ${(number + page) % 97} pieces less. The clerk noted the difference in the margin.\n`
  )
}
