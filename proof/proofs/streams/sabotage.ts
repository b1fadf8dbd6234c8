/** The mutations of --sabotage in streams, each for another figure to notice. */
import { never, rewriteValue } from '../../harness/mutation/changes.ts'
import type { Mutation } from '../../harness/mutation.ts'

export const STREAM_SABOTAGES: readonly Mutation[] = [
  {
    name: 'the position of a follower moves past an entry that it was not sent',
    at: 'events.follow.advance',
    change: rewriteValue((last) => `(${last}) + 1`),
  },
  {
    name: 'the operator reads what is newest, whoever has not committed yet',
    at: 'events.oldest-transaction',
    change: rewriteValue(() => '999_999_999_999n'),
  },
  {
    name: 'a client is written to whether it reads or not',
    at: 'events.stream.write',
    change: never,
  },
]
