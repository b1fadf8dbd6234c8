/** Counts what happened in a run, and keeps the first of each kind of deviation to show. */
import type { Silence } from '../../harness/http.ts'
import type { RequestDraft } from './drafts.ts'
import { isKernelReport } from './judge.ts'
import type { ExchangeCheck, Deviation, FuzzExchange } from './judge.ts'
import { describeWire } from './wire.ts'
import type { Wire } from './wire.ts'

interface Sample {
  /** The kind of fault, and the request that showed it. */
  readonly heading: string
  readonly group: string
  readonly lines: readonly string[]
  count: number
}

export type Tally = ReturnType<typeof createTally>

const SAMPLES_PER_GROUP = 4
const BODY_SHOWN = 500
/** The size of the buffers of a connection; only beyond that a sender still sends when it is refused. */
const BUFFERED = 1_000_000

export function createTally() {
  const checks = new Map<ExchangeCheck, number>()
  const operations = new Map<string, number>()
  const statuses = new Map<number, number>()
  const labels = new Set<string>()
  const samples = new Map<string, Sample>()
  const totals = {
    sent: 0,
    /** Clients that went away on purpose. */
    abandoned: 0,
    /** Requests that should have been answered and were not. */
    silent: 0,
    /** Bodies that are refused for their size before they have been sent: the refusal may be lost on the way. */
    farTooLarge: 0,
    lost: 0,
    validSent: 0,
    validSucceeded: 0,
  }

  function keepSample(group: string, by: string, lines: readonly string[]): void {
    const heading = `${group} by ${by}`
    const known = samples.get(heading)
    if (known) known.count += 1
    else samples.set(heading, { heading, group, lines, count: 1 })
  }

  function noteSuccess({ draft, wire, answer }: FuzzExchange): void {
    if (draft.kind !== 'valid') return
    // Not modified: the caller asked only for what it does not have yet.
    if (answer.status < 300 || answer.status === 304 || isKernelReport(draft.operation, answer))
      totals.validSucceeded += 1
    else keepSample('valid but refused', draft.operation.id, show(wire, 'valid', answer))
  }

  return {
    totals,
    count: (check: ExchangeCheck) => checks.get(check) ?? 0,
    perOperation: () => operations,
    perStatus: () => new Map([...statuses].toSorted(([a], [b]) => a - b)),
    /** Different things that were done to a valid request. */
    variety: () => labels.size,
    noteSent({ operation, kind }: RequestDraft, label: string): void {
      totals.sent += 1
      if (kind === 'valid') totals.validSent += 1
      add(operations, operation.id)
      labels.add(label)
    },
    noteAnswer(exchange: FuzzExchange, label: string, deviations: readonly Deviation[]): void {
      add(statuses, exchange.answer.status)
      if (isFarTooLarge(exchange.draft, exchange.wire)) totals.farTooLarge += 1
      noteSuccess(exchange)
      for (const { check, detail } of deviations) {
        add(checks, check)
        keepSample(`${check} (${detail})`, label, show(exchange.wire, label, exchange.answer))
      }
    },
    noteAbandoned: () => void (totals.abandoned += 1),
    noteSilence(draft: RequestDraft, wire: Wire, label: string, silence: Silence): void {
      if (silence === 'reset' && isFarTooLarge(draft, wire)) {
        totals.farTooLarge += 1
        totals.lost += 1
        return
      }
      totals.silent += 1
      keepSample(`no answer (${silence})`, label, [`  ${describeWire(wire)}`])
    },
    /** The first few of each group, with how often each came. */
    samples: () =>
      [...Map.groupBy(samples.values(), ({ group }) => group).values()]
        .flatMap((group) => group.slice(0, SAMPLES_PER_GROUP))
        .flatMap(({ heading, lines, count }) => [`! ${heading}, ${count} times, first:`, ...lines]),
  }
}

function isFarTooLarge({ operation: { body } }: RequestDraft, wire: Wire): boolean {
  const length = wire.body?.length ?? 0
  return length > BUFFERED && length > (body?.maxBytes ?? 0)
}

function show(wire: Wire, label: string, answer: FuzzExchange['answer']): string[] {
  const body = answer.body.toString('utf8')
  const shown = body.length > BODY_SHOWN ? `${body.slice(0, BODY_SHOWN)}…(${body.length})` : body
  return [
    `  (${label}) ${describeWire(wire)}`,
    `  -> ${answer.status} ${answer.headers.get('content-type') ?? '(no content type)'} ${shown}`,
  ]
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
