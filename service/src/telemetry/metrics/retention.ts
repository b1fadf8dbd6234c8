/** The metrics of the sweeper of a dispatcher: the rows it deleted, and the age of its last complete pass. */
import type { Walk } from '../../domain/retention.ts'
import { labelled } from '../../platform/metrics.ts'
import type { Metric } from '../../platform/metrics.ts'

export interface RetentionSources {
  /** By table, since the start of this process. */
  readonly removed: Readonly<Record<string, number>>
  readonly walks: readonly Walk[]
  /** Empty while the database is away. */
  readonly readAges: () => Promise<readonly { readonly walk: Walk; readonly ageMs: number }[]>
}

export function retentionMetrics({ removed, walks, readAges }: RetentionSources): Metric[] {
  return [
    {
      kind: 'counter',
      name: 'concord_retention_rows_removed',
      help: 'Rows that were deleted because their retention ended.',
      read: () => labelled('table', removed),
    },
    {
      kind: 'gauge',
      name: 'concord_retention_overdue_seconds',
      help: 'Time since the last complete pass began; no row has been due for longer.',
      read: async () => {
        const ages = await readAges()
        return ages
          .filter(({ walk }) => walks.includes(walk))
          .map(({ walk, ageMs }) => ({ value: ageMs / 1_000, labels: { walk } }))
      },
    },
  ]
}
