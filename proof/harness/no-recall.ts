/** The sabotage of every proof that relies on the dispatcher to notice what the broker lost. */
import type { Mutation } from './mutation.ts'

export const NO_RECALL: Mutation = {
  name: 'what the broker lost is not released again',
  files: 'service/src/app/releasing.ts',
  find: 'return recallWork(deps.kernel, shards, patienceWith(ageSeconds, isMissing))',
  replace: 'return 0',
}
