/**
 * Runs a comparison in two steps. The first step compares the groups that the change would affect, without a lock or a
 * transaction. The second step locks the scope, looks up the results and writes. If too many groups changed in between,
 * both steps are repeated. The results are cached, so each round has less to compute.
 */
import { isTimeout } from '../../store/failures.ts'
import type { Pool } from '../../store/pools.ts'
import { createGroupMemo, precomputeChanges, WorkLimitExceeded } from './comparison.ts'
import type { CompareDeps, ScopeChange } from './comparison.ts'

/** The maximum work of a transaction, in pairs of claims: about ten milliseconds. */
// @point comparison.max-work
export const MAX_WORK = 8_000
/** The maximum number of rounds. In the last one the transaction computes all remaining groups itself. */
const MAX_ROUNDS = 4

export async function comparePrecomputed<Result>(
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
 * A timeout is retried once, so that a scope that stays locked does not delay the comparisons of other scopes. After two
 * rounds the documents of a batch are compared one by one, because a stale document in it makes the computed results
 * useless.
 */
function isWorthAnotherRound(error: unknown, round: number, changes: readonly ScopeChange[]): boolean {
  if (!(error instanceof WorkLimitExceeded)) return round === 1 && isTimeout(error)
  const documents = changes.reduce((total, change) => total + change.documents.length, 0)
  return documents <= 1 || round === 1
}
