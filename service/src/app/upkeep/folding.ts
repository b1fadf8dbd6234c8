/**
 * Counts what moved in scopes into their figures, a bounded piece at a time: a page of moves tells which scopes are due, and each is counted
 * in a short transaction of its own. What is not counted yet is added up by whoever reads the figures, so nothing is missing meanwhile.
 */
import { NARROW_KEPT_MS } from '../../domain/scope-metrics.ts'
import { isTimeout } from '../../store/failures.ts'
import type { Pools } from '../../store/pools.ts'
import { foldScopeMoves, selectMovedScopes } from '../../store/scopes/scope-moves.ts'
import type { SweepPlace } from '../../store/upkeep/retention.ts'
import { inTenant } from '../../store/transaction.ts'

/** A scope rests until it has 64 moves or one of a minute ago, so a busy one is counted often and a quiet one seldom. */
const LIMITS = { page: 2_000, moves: 64, ageSeconds: 60 }
/** Scopes that one piece counts, and moves of each. */
const MAX_SCOPES = 20
const MAX_MOVES = 2_000

/** Where the walk goes on, and null at the end of the pass. */
export async function foldMoves(
  pools: Pick<Pools, 'kernel' | 'tenant'>,
  place: SweepPlace | null,
): Promise<SweepPlace | null> {
  const { scopes, hasMore } = await selectMovedScopes(pools.kernel, place, LIMITS)
  const due = scopes.filter(({ isDue }) => isDue)
  for (const scope of due.slice(0, MAX_SCOPES))
    // oxlint-disable-next-line no-await-in-loop -- one short transaction after the other
    await foldScope(pools, scope)
  const last = due.length > MAX_SCOPES ? due[MAX_SCOPES - 1] : hasMore ? scopes.at(-1) : undefined
  return last ? { tenantId: last.tenantId, scopeId: last.scopeId, documentId: null } : null
}

/** One that somebody holds for long is left for the next pass. */
async function foldScope(
  { tenant }: Pick<Pools, 'tenant'>,
  { tenantId, scopeId }: SweepPlace,
): Promise<void> {
  try {
    await inTenant(tenant, tenantId, (transaction) =>
      foldScopeMoves(transaction, scopeId, { maxMoves: MAX_MOVES, narrowKeptMs: NARROW_KEPT_MS }),
    )
  } catch (error) {
    if (!isTimeout(error)) throw error
  }
}
