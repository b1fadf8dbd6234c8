/** What --sabotage breaks in streams, each for another figure to notice. */
import type { Mutation } from '../../harness/mutation.ts'

export const STREAM_SABOTAGES: readonly Mutation[] = [
  {
    name: 'the position of a follower moves past an entry that it was not sent',
    files: 'service/src/app/event-feed.ts',
    find: 'position = entries.at(-1)?.seq ?? position',
    replace: 'position = (entries.at(-1)?.seq ?? position) + 1',
  },
  {
    name: 'the operator reads what is newest, whoever has not committed yet',
    files: 'service/src/store/scope-log.ts',
    find: 'pg_snapshot_xmin(pg_current_snapshot())::text',
    replace: '999999999999::text',
  },
  {
    name: 'a client is written to whether it reads or not',
    files: 'service/src/http/event-streams.ts',
    find: "if (!write(stream, frames.map(encodeFrame).join(''))) await untilDrained(stream)",
    replace: "write(stream, frames.map(encodeFrame).join('')); void untilDrained",
  },
]
