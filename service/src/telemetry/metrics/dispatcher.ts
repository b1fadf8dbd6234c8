/** The metrics of a dispatcher: its own work, and the backlog of the whole service. */
import type { WaitingReason } from '../../domain/model-deferral.ts'
import { labelled, numberMetric } from '../../platform/metrics.ts'
import type { Metric, MetricSample } from '../../platform/metrics.ts'

export interface DispatcherSources {
  readonly counts: { readonly dispatched: number; readonly recalled: number }
  readonly shardsHeld: () => number
  /** Undefined while the database is away. */
  readonly readBacklog: () => Promise<DispatcherBacklog | undefined>
}

export interface DispatcherBacklog {
  /** The documents that wait and may run, counted up to a bound. */
  readonly waiting: number
  readonly oldestWaitMs: number | null
  /** Null while a shard has no holder. */
  readonly lagMs: number | null
  /** Null when no audit entry waits for its place in the chain. */
  readonly oldestUnchainedMs: number | null
  readonly model: ModelBacklogCounts
  readonly erasures: number
  /** Null while no scope is being erased. */
  readonly erasureIdleMs: number | null
}

/** The documents and comparisons that wait for the language model. */
export interface ModelBacklogCounts {
  /** By the reason why the model gave no answer. */
  readonly documents: Readonly<Record<string, number>>
  readonly comparisons: {
    readonly pending: number
    readonly not_permitted: number
    readonly over_budget: number
  }
  /** Null if no comparison waits. */
  readonly oldestComparisonMs: number | null
}

export function dispatcherMetrics({ counts, shardsHeld, readBacklog }: DispatcherSources): Metric[] {
  return [
    numberMetric(
      'counter',
      'concord_work_released',
      'Documents that were dispatched to the broker.',
      () => counts.dispatched,
    ),
    numberMetric(
      'counter',
      'concord_work_recalled',
      'Documents that were put back into the backlog, because the broker or a worker lost them.',
      () => counts.recalled,
    ),
    numberMetric(
      'gauge',
      'concord_shards_held',
      'Shards of the backlog that this dispatcher holds.',
      shardsHeld,
    ),
    ...backlogMetrics(readBacklog),
    ...modelMetrics(readBacklog),
  ]
}

function backlogMetrics(readBacklog: DispatcherSources['readBacklog']): Metric[] {
  const ofBacklog =
    (pick: (backlog: DispatcherBacklog) => number | null): (() => Promise<MetricSample[]>) =>
    async () => {
      const backlog = await readBacklog()
      const value = backlog && pick(backlog)
      return typeof value === 'number' ? [{ value }] : []
    }
  return [
    {
      kind: 'gauge',
      name: 'concord_work_waiting',
      help: 'Documents of the whole service that wait and may run; counting stops at 10,000.',
      read: ofBacklog(({ waiting }) => waiting),
    },
    {
      kind: 'gauge',
      name: 'concord_oldest_queued_age_seconds',
      help: 'Waiting time of the oldest document of the whole service that may run; 0 if none waits.',
      read: ofBacklog(({ oldestWaitMs }) => (oldestWaitMs ?? 0) / 1_000),
    },
    {
      kind: 'gauge',
      name: 'concord_dispatcher_lag_seconds',
      help: 'Time since the oldest lease was renewed; missing while a shard has no holder.',
      read: ofBacklog(({ lagMs }) => (lagMs === null ? null : lagMs / 1_000)),
    },
    {
      kind: 'gauge',
      name: 'concord_audit_unchained_age_seconds',
      help: 'Waiting time of the oldest audit entry that is not in the chain yet; 0 if none waits.',
      read: ofBacklog(({ oldestUnchainedMs }) => (oldestUnchainedMs ?? 0) / 1_000),
    },
    {
      kind: 'gauge',
      name: 'concord_erasures',
      help: 'Scopes that are being reset or deleted.',
      read: ofBacklog(({ erasures }) => erasures),
    },
    {
      kind: 'gauge',
      name: 'concord_erasure_idle_seconds',
      help: 'Longest time that a reset or deletion has deleted nothing; 0 if none is running.',
      read: ofBacklog(({ erasureIdleMs }) => (erasureIdleMs ?? 0) / 1_000),
    },
  ]
}

/** A reason without documents is shown as 0, so that its graph begins before the first document. */
const NO_DOCUMENTS: Readonly<Record<WaitingReason, number>> = {
  timeout: 0,
  unreachable: 0,
  busy: 0,
  forbidden: 0,
  server_error: 0,
  over_budget: 0,
}

function modelMetrics(readBacklog: DispatcherSources['readBacklog']): Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'concord_model_documents_waiting',
      help: 'Documents that wait for the language model, by the reason why it gave no answer; counting stops at 10,000.',
      read: async () => labelled('reason', { ...NO_DOCUMENTS, ...(await readBacklog())?.model.documents }),
    },
    {
      kind: 'gauge',
      name: 'concord_comparison_steps_open',
      help: 'Comparison steps that have not ended: pending ones wait or are in progress; not_permitted and over_budget are held.',
      read: async () => labelled('state', { ...(await readBacklog())?.model.comparisons }),
    },
    {
      kind: 'gauge',
      name: 'concord_comparison_oldest_age_seconds',
      help: 'Waiting time of the oldest comparison step that is not held; 0 if none waits.',
      read: async () => {
        const backlog = await readBacklog()
        return backlog ? [{ value: (backlog.model.oldestComparisonMs ?? 0) / 1_000 }] : []
      },
    },
  ]
}
