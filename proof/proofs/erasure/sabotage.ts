/** The mutations of --sabotage: the reset leaves the texts, and the key that opens them and every copy of them. */
import { drop } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

export const HALF_A_RESET: readonly Mutation[] = [
  {
    name: 'a reset keeps the keys of older generations',
    at: 'reset.delete.keys',
    change: drop,
  },
  {
    name: 'a reset leaves the texts where they are',
    at: 'reset.delete.texts',
    change: drop,
  },
]
