/**
 * Separates results with many comparisons (heavy) from all others. Results with many groups are known in advance. Others turn out to be
 * heavy when the scope is loaded, because their groups have many members; then nothing is written and they go to the heavy queue.
 */
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { CompletionResult } from '../../store/processing/attempts.ts'
import { isTimeout } from '../../store/failures.ts'
import type { Pool } from '../../store/pools.ts'
import type { ScopeRef } from '../../store/scope-batches.ts'
import { WorkLimitExceeded } from '../comparing/comparison.ts'
import type { CompareDeps } from '../comparing/comparison.ts'
import { completeResults } from './completion.ts'
import type { AttemptResult } from './completion.ts'

/** Loading more groups than this blocks the main thread for more than a few milliseconds, even if nothing is compared. */
const MAX_GROUPS = 150
/** After a heavy comparison, all results of the scope go to the heavy queue for this long. */
const DENSE_MS = 2_000
const MAX_DENSE = 10_000

/** The scopes that recently had a heavy comparison. */
export interface DenseScopes {
  add(scope: ScopeRef): void
  has(scope: ScopeRef): boolean
}

export function createDenseScopes(now: () => number = () => performance.now()): DenseScopes {
  const until = new BoundedMap<string, number>(MAX_DENSE)
  return {
    add: (scope) => until.set(locationOf(scope), now() + DENSE_MS),
    has: (scope) => (until.get(locationOf(scope)) ?? 0) > now(),
  }
}

export function isHeavy(result: AttemptResult, dense: DenseScopes): boolean {
  const claims = result.content?.claims
  if (!claims) return false
  // @point comparison.heavy
  return dense.has(result) || new Set(claims.flatMap(({ keys }) => keys)).size > MAX_GROUPS
}

/** Completes the light results. Answers `heavy` for the others and writes nothing of them. */
export async function completeLight(
  pool: Pool,
  results: readonly AttemptResult[],
  deps: CompareDeps,
  dense: DenseScopes,
): Promise<(CompletionResult | 'heavy')[]> {
  try {
    return await completeResults(pool, results, deps)
  } catch (error) {
    // The heavy queue retries them in another transaction, with the comparisons computed beforehand.
    if (isTimeout(error)) return results.map(() => 'heavy')
    if (!(error instanceof WorkLimitExceeded)) throw error
    for (const scope of error.scopes) dense.add(scope)
    const heavy = new Set(error.scopes.map(locationOf))
    const light = results.filter((result) => !heavy.has(locationOf(result)))
    const completed = light.length === 0 ? [] : await completeLight(pool, light, deps, dense)
    const answers = new Map(light.map((result, index) => [result, completed[index]]))
    return results.map((result) => answers.get(result) ?? 'heavy')
  }
}

function locationOf({ tenantId, scopeId }: ScopeRef): string {
  return `${tenantId} ${scopeId}`
}
