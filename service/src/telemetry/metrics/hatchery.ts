/** The metrics of a hatchery: its workers on this host by state, and how many it started, retired and lost. */
import { labelled } from '../../platform/metrics.ts'
import type { Metric } from '../../platform/metrics.ts'

export interface HatcheryMetrics {
  readonly metrics: readonly Metric[]
  /** Counts an event of the operator's event stream. */
  count(kind: WorkerPoolEventKind): void
}

export type WorkerPoolEventKind = 'worker.hatched' | 'worker.retired' | 'worker.lost'

/** `counts` returns the workers of the hatchery by state. */
export function createHatcheryMetrics(counts: () => Readonly<Record<string, number>>): HatcheryMetrics {
  const events: Record<WorkerPoolEventKind, number> = {
    'worker.hatched': 0,
    'worker.retired': 0,
    'worker.lost': 0,
  }
  return {
    count(kind) {
      events[kind] += 1
    },
    metrics: [
      {
        kind: 'gauge',
        name: 'concord_hatchery_workers',
        help: 'Workers of this hatchery, by state.',
        read: () => labelled('state', counts()),
      },
      {
        kind: 'counter',
        name: 'concord_hatchery_changes',
        help: 'Workers of this hatchery that were started, stopped and lost.',
        read: () =>
          Object.entries(events).map(([kind, value]) => ({
            value,
            labels: { change: kind.replace('worker.', '') },
          })),
      },
    ],
  }
}
