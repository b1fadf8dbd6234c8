/**
 * Folds status changes of documents into the statistics of their scopes, in bounded batches. A page of changes shows which scopes are due, and
 * each is folded in a short transaction of its own. Readers add up changes that are not folded yet, so the statistics are always complete.
 */
import { NARROW_KEPT_MS } from '../../domain/scope-metrics.ts'
import { isTimeout } from '../../store/failures.ts'
import type { Pools } from '../../store/pools.ts'
import { foldScopeMoves, selectMovedScopes } from '../../store/scopes/scope-moves.ts'
import type { SweepPosition } from '../../store/upkeep/retention.ts'
import { inTenant } from '../../store/transaction.ts'

/** A scope is due when it has 64 changes, or one older than a minute. So a busy scope is folded often and a quiet one rarely. */
const LIMITS = { page: 2_000, moves: 64, ageSeconds: 60 }
/** The number of scopes per batch, and of changes per scope. */
const MAX_SCOPES = 20
const MAX_MOVES = 2_000

/** Returns where the next batch continues, or null at the end of the pass. */
export async function foldMoves(
  pools: Pick<Pools, 'kernel' | 'tenant'>,
  position: SweepPosition | null,
): Promise<SweepPosition | null> {
  const { scopes, hasMore } = await selectMovedScopes(pools.kernel, position, LIMITS)
  const due = scopes.filter(({ isDue }) => isDue)
  for (const scope of due.slice(0, MAX_SCOPES))
    // oxlint-disable-next-line no-await-in-loop -- one short transaction after the other
    await foldScope(pools, scope)
  const last = due.length > MAX_SCOPES ? due[MAX_SCOPES - 1] : hasMore ? scopes.at(-1) : undefined
  return last ? { tenantId: last.tenantId, scopeId: last.scopeId, documentId: null } : null
}

/** A scope that stays locked is left for the next pass. */
async function foldScope(
  { tenant }: Pick<Pools, 'tenant'>,
  { tenantId, scopeId }: SweepPosition,
): Promise<void> {
  try {
    await inTenant(tenant, tenantId, (transaction) =>
      foldScopeMoves(transaction, scopeId, { maxMoves: MAX_MOVES, narrowKeptMs: NARROW_KEPT_MS }),
    )
  } catch (error) {
    if (!isTimeout(error)) throw error
  }
}
