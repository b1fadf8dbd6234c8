/** How settled scopes are, as sums over all of them: no metric names a scope, and their number does not grow with the scopes. */
import { labelled } from '../../platform/figures.ts'
import type { Figure } from '../../platform/figures.ts'

export interface ConvergenceSources {
  /** Undefined while the database does not say. */
  readonly readTotals: () => Promise<SettledTotals | undefined>
}

export interface SettledTotals {
  readonly byState: Readonly<Record<string, number>>
  /** From 0 to 1, over scopes that hold something; null where none does. */
  readonly meanScore: number | null
}

/** A state in which no scope is is shown as 0, so that a graph of it begins before the first one is. */
const NO_SCOPES = { empty: 0, working: 0, contested: 0, converging: 0, unassessed: 0, settled: 0 }

export function convergenceFigures({ readTotals }: ConvergenceSources): Figure[] {
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
      help: 'Mean score, from 0 to 1, of all scopes that are not empty, as of the last minute; missing where there is none.',
      read: async () => {
        const value = (await readTotals())?.meanScore
        return typeof value === 'number' ? [{ value }] : []
      },
    },
  ]
}
