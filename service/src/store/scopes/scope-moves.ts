/** Moves of documents that are not counted into the figures of their scope yet. */
import type { Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'
import type { SweepPlace } from '../upkeep/retention.ts'

export interface MovedScope extends SweepPlace {
  /** It has many moves, or an old one. */
  readonly isDue: boolean
}

export interface MovedScopes {
  readonly scopes: readonly MovedScope[]
  /** Whether more may follow behind the last one. */
  readonly hasMore: boolean
}

export interface FoldingLimits {
  /** Moves that are looked at. */
  readonly page: number
  /** A scope with so many is due, and one of which the oldest is so old. */
  readonly moves: number
  readonly ageSeconds: number
}

/** Runs as the kernel role: the next scopes behind the place of which something moved, as far as a page of moves tells. */
export async function selectMovedScopes(
  kernel: Pick<Pool, 'query'>,
  place: SweepPlace | null,
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
      place?.tenantId ?? '00000000-0000-0000-0000-000000000000',
      place?.scopeId ?? '',
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

/** Returns how many were counted: at most so many, the oldest first. A scope that somebody holds for longer is a timeout. */
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
