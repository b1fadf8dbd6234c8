/**
 * The convergence of all scopes, as sums. No metric names a scope, so the number of series does not grow with the
 * scopes.
 */
import { labelled } from '../../platform/metrics.ts'
import type { Metric } from '../../platform/metrics.ts'

export interface ConvergenceSources {
  /** Undefined while the database is away. */
  readonly readTotals: () => Promise<SettledTotals | undefined>
}

export interface SettledTotals {
  readonly byState: Readonly<Record<string, number>>
  /** From 0 to 1, over all scopes that are not empty; null if there are none. */
  readonly meanScore: number | null
}

/** A state without scopes is shown as 0, so that its graph begins before the first scope reaches it. */
const NO_SCOPES = { empty: 0, working: 0, contested: 0, converging: 0, unassessed: 0, settled: 0 }

export function convergenceMetrics({ readTotals }: ConvergenceSources): Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'concord_scopes',
      help: 'Scopes of the whole service by state of convergence, as of the last minute.',
      read: async () => {
        const totals = await readTotals()
        return totals ? labelled('state', { ...NO_SCOPES, ...totals.byState }) : []
      },
    },
    {
      kind: 'gauge',
      name: 'concord_convergence_score',
      help: 'Mean score, from 0 to 1, of all scopes that are not empty, as of the last minute; missing if all are empty.',
      read: async () => {
        const value = (await readTotals())?.meanScore
        return typeof value === 'number' ? [{ value }] : []
      },
    },
  ]
}
