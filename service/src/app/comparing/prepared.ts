/**
 * Makes a comparison in two steps. The first compares what the change would affect, without a lock or a transaction. The second
 * locks the scope, looks up the results, and writes. If so much changed in between that the second step would have to compute
 * for long, both are repeated. Results are kept, so every round has less to do.
 */
import { isTimeout } from '../../store/failures.ts'
import type { Pool } from '../../store/pools.ts'
import { createGroupMemo, precomputeChanges, WorkLimitExceeded } from './comparison.ts'
import type { CompareDeps, ScopeChange } from './comparison.ts'

/** The maximum work of a transaction, in pairs of claims: about ten milliseconds. */
// @point comparison.max-work
export const MAX_WORK = 8_000
/** After this many rounds the transaction computes the rest itself, however much it is. */
const MAX_ROUNDS = 4

export async function comparePrepared<Result>(
  pool: Pool,
  changes: readonly ScopeChange[],
  deps: CompareDeps,
  commit: (deps: CompareDeps) => Promise<Result>,
): Promise<Result> {
  const memo = createGroupMemo()
  const prepared = { ...deps, memo }
  for (let round = 1; ; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one round after the other
    await precomputeChanges(pool, changes, prepared)
    try {
      const maxWork = round < MAX_ROUNDS ? MAX_WORK : Infinity
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      return await commit({ ...prepared, maxWork })
    } catch (error) {
      if (!isWorthAnotherRound(error, round, changes)) throw error
    }
  }
}

/**
 * A timeout is retried once: a scope that stays locked must not delay the comparisons of other scopes. Documents of one batch are
 * tried one by one after two rounds: a stale one changes nothing, and the results computed for all of them are useless then.
 */
function isWorthAnotherRound(error: unknown, round: number, changes: readonly ScopeChange[]): boolean {
  if (!(error instanceof WorkLimitExceeded)) return round === 1 && isTimeout(error)
  const documents = changes.reduce((total, change) => total + change.documents.length, 0)
  return documents <= 1 || round === 1
}
