/** The metrics of a worker: attempts by their end, failures by stage and reason, times, and how its sandbox fares. */
import type { FailureReason } from '../../domain/attempt.ts'
import { createHistogram, labelled, numberFigure, SECONDS } from '../../platform/figures.ts'
import type { Figure } from '../../platform/figures.ts'

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

/** `unreadable`: what is stored could not be opened. */
export type AttemptFault = FailureReason | 'unreadable'

export interface AttemptMeasures {
  readonly ms: number
  /** Undefined when nothing was read. */
  readonly readingMs: number | undefined
  readonly fault: AttemptFault | undefined
}

export interface WorkerFigures {
  readonly figures: readonly Figure[]
  attempted(what: AttemptMeasures): void
}

export function createWorkerFigures({ attempts, inFlight, sandbox }: WorkerSources): WorkerFigures {
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
    figures: [
      {
        kind: 'counter',
        name: 'concord_attempts',
        help: 'Attempts that are over, by how they ended.',
        read: () => labelled('end', attempts),
      },
      {
        kind: 'counter',
        name: 'concord_attempt_failures',
        help: 'Attempts that failed, by stage and reason; each may be repeated.',
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
        help: 'How long a document that was read took to read, waiting left out.',
        read: () => [{ histogram: readingTimes }],
      },
      numberFigure('gauge', 'concord_work_in_flight', 'Documents that this worker has in flight.', inFlight),
      ...sandboxFigures(sandbox),
    ],
  }
}

function sandboxFigures(sandbox: WorkerSources['sandbox']): Figure[] {
  return [
    numberFigure(
      'counter',
      'concord_sandbox_restarts',
      'Child processes that ended and were replaced.',
      () => sandbox().restarts,
    ),
    numberFigure(
      'gauge',
      'concord_sandbox_children',
      'Child processes that are alive.',
      () => sandbox().children,
    ),
    numberFigure('gauge', 'concord_sandbox_busy', 'Child processes that are reading.', () => sandbox().busy),
    numberFigure(
      'gauge',
      'concord_sandbox_waiting',
      'Documents that wait for a child process.',
      () => sandbox().waiting,
    ),
  ]
}
