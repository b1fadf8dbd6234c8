/**
 * Tells results that bring much to compare from all others. Those with many groups are known in advance; others turn out to be heavy
 * when the scope is opened, because their groups have many members. Then nothing is written, and they go to the heavy queue.
 */
import type { SettleOutcome } from '../../store/processing/attempts.ts'
import { isTimeout } from '../../store/failures.ts'
import type { Pool } from '../../store/pools.ts'
import type { ScopePlace } from '../../store/scope-questions.ts'
import { TooMuchWork } from '../comparing/comparing.ts'
import type { Means } from '../comparing/comparing.ts'
import { settleResults } from './settling.ts'
import type { AttemptResult } from './settling.ts'

/** Opening more groups than this takes the main thread more than a few milliseconds, even if nothing is compared. */
const MAX_GROUPS = 150
/** After a heavy comparison, results for the same scope are not tried in the other queue for so long. */
const DENSE_MS = 2_000
const MAX_DENSE = 10_000

/** The scopes in which a comparison was heavy lately. */
export interface DenseScopes {
  note(scope: ScopePlace): void
  has(scope: ScopePlace): boolean
}

export function createDenseScopes(now: () => number = () => performance.now()): DenseScopes {
  const until = new Map<string, number>()
  return {
    note(scope) {
      until.delete(locationOf(scope))
      until.set(locationOf(scope), now() + DENSE_MS)
      const [oldest] = until.size > MAX_DENSE ? until.keys() : []
      if (oldest !== undefined) until.delete(oldest)
    },
    has: (scope) => (until.get(locationOf(scope)) ?? 0) > now(),
  }
}

export function isHeavy(result: AttemptResult, dense: DenseScopes): boolean {
  const claims = result.content?.claims
  if (!claims) return false
  // @point comparison.heavy
  return dense.has(result) || new Set(claims.flatMap(({ keys }) => keys)).size > MAX_GROUPS
}

/** Settles what is little work; of everything else it says that it is heavy, and leaves it as it is. */
export async function settleLight(
  pool: Pool,
  results: readonly AttemptResult[],
  means: Means,
  dense: DenseScopes,
): Promise<(SettleOutcome | 'heavy')[]> {
  try {
    return await settleResults(pool, results, means)
  } catch (error) {
    // Another try in a transaction of its own, with what it needs computed before.
    if (isTimeout(error)) return results.map(() => 'heavy')
    if (!(error instanceof TooMuchWork)) throw error
    for (const scope of error.scopes) dense.note(scope)
    const heavy = new Set(error.scopes.map(locationOf))
    const light = results.filter((result) => !heavy.has(locationOf(result)))
    const settled = light.length === 0 ? [] : await settleLight(pool, light, means, dense)
    const answers = new Map(light.map((result, index) => [result, settled[index]]))
    return results.map((result) => answers.get(result) ?? 'heavy')
  }
}

function locationOf({ tenantId, scopeId }: ScopePlace): string {
  return `${tenantId} ${scopeId}`
}
