/** The metrics of a worker: attempts by their end, failures by stage and reason, durations, and its sandbox. */
import type { FailureReason } from '../../domain/attempt.ts'
import { createHistogram, labelled, numberMetric, SECONDS } from '../../platform/metrics.ts'
import type { Metric } from '../../platform/metrics.ts'

export interface WorkerSources {
  readonly attempts: Readonly<Record<string, number>>
  readonly inFlight: () => number
  readonly sandbox: () => {
    readonly children: number
    readonly busy: number
    readonly waiting: number
    readonly restarts: number
  }
}

/** `unreadable`: the stored text could not be opened. */
export type AttemptFault = FailureReason | 'unreadable'

export interface AttemptMeasures {
  readonly ms: number
  /** Undefined if nothing was read. */
  readonly readingMs: number | undefined
  readonly fault: AttemptFault | undefined
}

export interface WorkerMetrics {
  readonly metrics: readonly Metric[]
  attempted(what: AttemptMeasures): void
}

export function createWorkerMetrics({ attempts, inFlight, sandbox }: WorkerSources): WorkerMetrics {
  const attemptTimes = createHistogram(SECONDS)
  const readingTimes = createHistogram(SECONDS)
  const faults: Record<AttemptFault, number> = {
    threw: 0,
    time_exceeded: 0,
    memory_exceeded: 0,
    crashed: 0,
    unreadable: 0,
  }
  return {
    attempted({ ms, readingMs, fault }) {
      attemptTimes.observe(ms / 1_000)
      if (readingMs !== undefined) readingTimes.observe(readingMs / 1_000)
      if (fault) faults[fault] += 1
    },
    metrics: [
      {
        kind: 'counter',
        name: 'concord_attempts',
        help: 'Attempts by how they ended.',
        read: () => labelled('end', attempts),
      },
      {
        kind: 'counter',
        name: 'concord_attempt_failures',
        help: 'Attempts that failed, by stage and reason; each may be retried.',
        read: () =>
          Object.entries(faults).map(([reason, value]) => ({ value, labels: { stage: 'read', reason } })),
      },
      {
        kind: 'histogram',
        name: 'concord_attempt_duration_seconds',
        help: 'From the delivery of a document to the commit of its result.',
        read: () => [{ histogram: attemptTimes }],
      },
      {
        kind: 'histogram',
        name: 'concord_reading_duration_seconds',
        help: 'Duration of the reading alone, of documents that were read.',
        read: () => [{ histogram: readingTimes }],
      },
      numberMetric('gauge', 'concord_work_in_flight', 'Documents that this worker has in flight.', inFlight),
      ...sandboxMetrics(sandbox),
    ],
  }
}

function sandboxMetrics(sandbox: WorkerSources['sandbox']): Metric[] {
  return [
    numberMetric(
      'counter',
      'concord_sandbox_restarts',
      'Child processes that ended and were replaced.',
      () => sandbox().restarts,
    ),
    numberMetric(
      'gauge',
      'concord_sandbox_children',
      'Child processes that are alive.',
      () => sandbox().children,
    ),
    numberMetric('gauge', 'concord_sandbox_busy', 'Child processes that are reading.', () => sandbox().busy),
    numberMetric(
      'gauge',
      'concord_sandbox_waiting',
      'Documents that wait for a child process.',
      () => sandbox().waiting,
    ),
  ]
}
