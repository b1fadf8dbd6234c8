/** The metrics of a dispatcher: what it did itself, and how the backlog of the whole service stands. */
import type { WaitingReason } from '../../domain/model-deferral.ts'
import { labelled, numberFigure } from '../../platform/figures.ts'
import type { Figure, FigureSample } from '../../platform/figures.ts'

export interface DispatcherSources {
  readonly counts: { readonly dispatched: number; readonly recalled: number }
  readonly shardsHeld: () => number
  /** Undefined while the database does not say. */
  readonly readBacklog: () => Promise<DispatcherBacklog | undefined>
}

export interface DispatcherBacklog {
  /** Documents that wait and may run; counted up to a bound. */
  readonly waiting: number
  readonly oldestWaitMs: number | null
  /** Null while a shard is nobody's. */
  readonly lagMs: number | null
  /** Null when no audit entry waits for its place in the chain. */
  readonly oldestUnchainedMs: number | null
  readonly model: ModelBacklogFigures
  readonly erasures: number
  /** Null while no scope is being erased. */
  readonly erasureIdleMs: number | null
}

/** Counts of documents that wait for the language model. */
export interface ModelBacklogFigures {
  /** By the reason why there was no answer. */
  readonly documents: Readonly<Record<string, number>>
  readonly comparisons: {
    readonly pending: number
    readonly not_permitted: number
    readonly over_budget: number
  }
  /** Null where no comparison waits. */
  readonly oldestComparisonMs: number | null
}

export function dispatcherFigures({ counts, shardsHeld, readBacklog }: DispatcherSources): Figure[] {
  const ofBacklog =
    (pick: (backlog: DispatcherBacklog) => number | null): (() => Promise<FigureSample[]>) =>
    async () => {
      const backlog = await readBacklog()
      const value = backlog && pick(backlog)
      return typeof value === 'number' ? [{ value }] : []
    }
  return [
    numberFigure(
      'counter',
      'concord_work_released',
      'Documents that were handed to the broker.',
      () => counts.dispatched,
    ),
    numberFigure(
      'counter',
      'concord_work_recalled',
      'Documents that were taken back, because the broker or a worker lost them.',
      () => counts.recalled,
    ),
    numberFigure(
      'gauge',
      'concord_shards_held',
      'Shards of the backlog that this dispatcher holds.',
      shardsHeld,
    ),
    {
      kind: 'gauge',
      name: 'concord_work_waiting',
      help: 'Documents of the whole service that wait and may run; counting stops at 10,000.',
      read: ofBacklog(({ waiting }) => waiting),
    },
    {
      kind: 'gauge',
      name: 'concord_oldest_queued_age_seconds',
      help: 'How long the oldest document of the whole service that may run has waited; 0 when none does.',
      read: ofBacklog(({ oldestWaitMs }) => (oldestWaitMs ?? 0) / 1_000),
    },
    {
      kind: 'gauge',
      name: 'concord_dispatcher_lag_seconds',
      help: 'Since the lease that is furthest behind was renewed; missing while a shard has no holder.',
      read: ofBacklog(({ lagMs }) => (lagMs === null ? null : lagMs / 1_000)),
    },
    {
      kind: 'gauge',
      name: 'concord_audit_unchained_age_seconds',
      help: 'How long the oldest audit entry has waited for its place in the chain; 0 when none does.',
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
      help: 'How long the reset or deletion that stands still has deleted nothing; 0 when there is none.',
      read: ofBacklog(({ erasureIdleMs }) => (erasureIdleMs ?? 0) / 1_000),
    },
    ...modelFigures(readBacklog),
  ]
}

/** A reason for which no document waits is shown as 0, so that a graph of it begins before the first one does. */
const NO_DOCUMENTS: Readonly<Record<WaitingReason, number>> = {
  timeout: 0,
  unreachable: 0,
  busy: 0,
  forbidden: 0,
  server_error: 0,
  over_budget: 0,
}

function modelFigures(readBacklog: DispatcherSources['readBacklog']): Figure[] {
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
      help: 'Comparison steps that are not at their end: pending ones wait or are under way; not_permitted and over_budget are held.',
      read: async () => labelled('state', { ...(await readBacklog())?.model.comparisons }),
    },
    {
      kind: 'gauge',
      name: 'concord_comparison_oldest_age_seconds',
      help: 'How long the oldest comparison step that is not held has waited; 0 when none does.',
      read: async () => {
        const backlog = await readBacklog()
        return backlog ? [{ value: (backlog.model.oldestComparisonMs ?? 0) / 1_000 }] : []
      },
    },
  ]
}
