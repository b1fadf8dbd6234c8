/** The mutations that make convergence depend on how a scope came to be what it is. */
import { drop } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

export const COUNTED_FOR_GOOD: Mutation = {
  name: 'a document is counted where it was as well as where it is',
  at: 'convergence.count-left',
  change: drop,
}
