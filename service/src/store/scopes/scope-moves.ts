/** The statements of moves: status changes of documents that are not folded into the statistics of their scope yet. */
import type { Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'
import type { SweepPosition } from '../upkeep/retention.ts'

export interface MovedScope extends SweepPosition {
  /** True if the scope has many moves, or an old one. */
  readonly isDue: boolean
}

export interface MovedScopes {
  readonly scopes: readonly MovedScope[]
  /** True if there may be more scopes after the last one. */
  readonly hasMore: boolean
}

export interface FoldingLimits {
  /** The number of moves that are read. */
  readonly page: number
  /** A scope with this many moves is due. */
  readonly moves: number
  /** A scope whose oldest move has this age is due. */
  readonly ageSeconds: number
}

/** Selects the next scopes after the position that have moves, from one page of moves. Runs as the kernel role. */
export async function selectMovedScopes(
  kernel: Pick<Pool, 'query'>,
  position: SweepPosition | null,
  { page, moves, ageSeconds }: FoldingLimits,
): Promise<MovedScopes> {
  const { rows } = await kernel.query<{ tenant: string; scope: string; due: boolean; full: boolean }>({
    name: 'select-moved-scopes',
    text: `with page as materialized (
             select tenant_id, scope_id, at from scope_moves
              where (tenant_id, scope_id) > ($1::uuid, $2::text collate "C") order by tenant_id, scope_id limit $3
           )
           select tenant_id as tenant, scope_id as scope, (select count(*) from page) = $3 as full,
                  count(*) >= $4 or min(at) <= now() - make_interval(secs => $5) as due
             from page group by tenant_id, scope_id order by tenant_id, scope_id`,
    values: [
      position?.tenantId ?? '00000000-0000-0000-0000-000000000000',
      position?.scopeId ?? '',
      page,
      moves,
      ageSeconds,
    ],
  })
  return {
    scopes: rows.map(({ tenant, scope, due }) => ({
      tenantId: tenant,
      scopeId: scope,
      documentId: null,
      isDue: due,
    })),
    hasMore: rows[0]?.full ?? false,
  }
}

/** Folds the oldest moves of a scope, up to a limit, and returns their number. Times out if the scope stays locked. */
export async function foldScopeMoves(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { maxMoves, narrowKeptMs }: { readonly maxMoves: number; readonly narrowKeptMs: number },
): Promise<number> {
  const { rows } = await connection.query<{ folded: number }>({
    name: 'fold-moves',
    text: 'select fold_moves($1, $2, $3, $4) as folded',
    values: [tenantId, scopeId, maxMoves, narrowKeptMs / 1000],
  })
  return rows[0]?.folded ?? 0
}
