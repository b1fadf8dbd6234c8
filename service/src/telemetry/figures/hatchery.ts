/** The metrics of a hatchery: how many workers it has on this host, and what became of those it had. */
import { labelled } from '../../platform/figures.ts'
import type { Figure } from '../../platform/figures.ts'

export interface HatcheryFigures {
  readonly figures: readonly Figure[]
  /** `kind` as the operator's stream names it. */
  told(kind: BroodKind): void
}

export type BroodKind = 'worker.hatched' | 'worker.retired' | 'worker.lost'

/** `counts` is how many of its workers are in which state now. */
export function createHatcheryFigures(counts: () => Readonly<Record<string, number>>): HatcheryFigures {
  const events: Record<BroodKind, number> = { 'worker.hatched': 0, 'worker.retired': 0, 'worker.lost': 0 }
  return {
    told(kind) {
      events[kind] += 1
    },
    figures: [
      {
        kind: 'gauge',
        name: 'concord_hatchery_workers',
        help: 'Workers of this hatchery, by state.',
        read: () => labelled('state', counts()),
      },
      {
        kind: 'counter',
        name: 'concord_hatchery_changes',
        help: 'Workers of this hatchery that were hatched, retired and lost.',
        read: () =>
          Object.entries(events).map(([kind, value]) => ({
            value,
            labels: { change: kind.replace('worker.', '') },
          })),
      },
    ],
  }
}
