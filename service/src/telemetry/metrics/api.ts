/**
 * The metrics of an API process: requests by operation, documents, batches, streams, and the processes whose heartbeats
 * it gets.
 */
import { createHistogram, labelled, numberMetric, SECONDS } from '../../platform/metrics.ts'
import type { Metric, Histogram, MetricSample } from '../../platform/metrics.ts'

export interface ApiMetrics {
  readonly metrics: readonly Metric[]
  /** `operation` is an operation of the contract, and undefined for an unknown path. Event streams have no duration. */
  answered(operation: string | undefined, status: number, ms: number | undefined): void
  ingested(outcome: IngestOutcome): void
  flushed(documents: number, ms: number): void
}

export type IngestOutcome = 'accepted' | 'replayed' | 'refused'

export interface ApiSources {
  readonly openStreams: () => number
  /** The last result of readiness. */
  readonly checks: () => readonly { readonly name: string; readonly ok: boolean }[]
  /** The time since the last heartbeat of a role. */
  readonly silenceMs: (role: string) => number
  /** The number of live processes of a role. */
  readonly alive: (role: string) => number
}

/** The roles that send heartbeats. Heartbeats of other roles are not shown. */
const ROLES = ['worker', 'dispatcher'] as const

const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** One batch has up to 256 documents. */
const DOCUMENTS: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256]

interface OperationRow {
  readonly operation: string
  readonly byClass: number[]
  readonly durations: Histogram
}

export function createApiMetrics(sources: ApiSources): ApiMetrics {
  const rows = new Map<string, OperationRow>()
  const documents: Record<IngestOutcome, number> = { accepted: 0, replayed: 0, refused: 0 }
  const flushSizes = createHistogram(DOCUMENTS)
  const flushTimes = createHistogram(SECONDS)

  function rowOf(operation: string): OperationRow {
    const known = rows.get(operation)
    if (known) return known
    const made = { operation, byClass: CLASSES.map(() => 0), durations: createHistogram(SECONDS) }
    rows.set(operation, made)
    return made
  }

  return {
    answered(operation = 'none', status, ms) {
      const row = rowOf(operation)
      const place = Math.floor(status / 100) - 1
      row.byClass[place] = (row.byClass[place] ?? 0) + 1
      if (ms !== undefined) row.durations.observe(ms / 1_000)
    },
    ingested(outcome) {
      documents[outcome] += 1
    },
    flushed(size, ms) {
      flushSizes.observe(size)
      flushTimes.observe(ms / 1_000)
    },
    metrics: [
      ...requestMetrics(rows),
      {
        kind: 'counter',
        name: 'concord_ingest_documents',
        help: 'Documents that were sent, by outcome.',
        read: () => labelled('outcome', documents),
      },
      {
        kind: 'histogram',
        name: 'concord_flush_documents',
        help: 'Documents that were written by one statement.',
        read: () => [{ histogram: flushSizes }],
      },
      {
        kind: 'histogram',
        name: 'concord_flush_duration_seconds',
        help: 'Duration of one statement that accepts documents, including its commit.',
        read: () => [{ histogram: flushTimes }],
      },
      ...kernelMetrics(sources),
    ],
  }
}

function requestMetrics(rows: ReadonlyMap<string, OperationRow>): Metric[] {
  return [
    {
      kind: 'counter',
      name: 'concord_requests',
      help: 'Requests that were answered, by operation and class of status.',
      read: () => [...rows.values()].flatMap(toClassSamples),
    },
    {
      kind: 'histogram',
      name: 'concord_request_duration_seconds',
      help: 'From the first byte of a request to the last byte of its response, without event streams.',
      read: () =>
        [...rows.values()].map(({ operation, durations }) => ({
          labels: { operation },
          histogram: durations,
        })),
    },
  ]
}

function toClassSamples({ operation, byClass }: OperationRow): MetricSample[] {
  return CLASSES.map((status, place) => ({ value: byClass[place] ?? 0, labels: { operation, status } }))
}

function kernelMetrics({ openStreams, checks, silenceMs, alive }: ApiSources): Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'concord_check_ok',
      help: 'Last result of the readiness check: 1 if the part answers, else 0.',
      read: () => checks().map(({ name, ok }) => ({ value: ok ? 1 : 0, labels: { check: name } })),
    },
    numberMetric('gauge', 'concord_event_streams', 'Event streams that are open.', openStreams),
    {
      kind: 'gauge',
      name: 'concord_heartbeat_silence_seconds',
      help: 'Time since the last heartbeat of a process of the role that takes work.',
      read: () => ROLES.map((role) => ({ value: silenceMs(role) / 1_000, labels: { role } })),
    },
    {
      kind: 'gauge',
      name: 'concord_processes_alive',
      help: 'Processes of the role with recent heartbeats.',
      read: () => ROLES.map((role) => ({ value: alive(role), labels: { role } })),
    },
  ]
}
