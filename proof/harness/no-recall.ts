/** The sabotage of every proof that relies on the dispatcher to notice what the broker lost. */
import { insertBefore } from './mutation/changes.ts'
import type { Mutation } from './mutation.ts'

export const NO_RECALL: Mutation = {
  name: 'what the broker lost is not released again',
  at: 'dispatch.recall',
  change: insertBefore('return 0'),
}
