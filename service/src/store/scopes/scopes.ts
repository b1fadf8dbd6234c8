/** The statements of scopes. */
import type { TenantTransaction } from '../transaction.ts'

export interface ScopeRow {
  readonly scopeId: string
  readonly displayName: string | null
  readonly epoch: number
  readonly createdAt: Date
}

export interface NewScopeRow {
  readonly scopeId: string
  readonly displayName: string | null
  readonly createdBy: string
}

interface ScopeColumns {
  readonly scope_id: string
  readonly display_name: string | null
  readonly epoch: number
  readonly created_at: Date
}

const SCOPE_COLUMNS = 'scope_id, display_name, epoch, created_at'

/** Returns undefined if the tenant already has a scope with this id. */
export async function insertScope(
  { connection, tenantId }: TenantTransaction,
  scope: NewScopeRow,
): Promise<ScopeRow | undefined> {
  const { rows } = await connection.query<ScopeColumns>(
    `insert into scopes (tenant_id, scope_id, display_name, created_by, epoch)
     select $1, $2, $3, $4, coalesce((select epoch + 1 from ended_scopes where tenant_id = $1 and scope_id = $2), 0)
     on conflict do nothing returning ${SCOPE_COLUMNS}`,
    [tenantId, scope.scopeId, scope.displayName, scope.createdBy],
  )
  return rows[0] && toScope(rows[0])
}

export async function selectScope(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<ScopeRow | undefined> {
  const { rows } = await connection.query<ScopeColumns>(
    `select ${SCOPE_COLUMNS} from scopes where tenant_id = $1 and scope_id = $2`,
    [tenantId, scopeId],
  )
  return rows[0] && toScope(rows[0])
}

export async function selectScopes(
  { connection, tenantId }: TenantTransaction,
  afterScopeId: string | undefined,
  limit: number,
): Promise<ScopeRow[]> {
  const { rows } = await connection.query<ScopeColumns>(
    `select ${SCOPE_COLUMNS} from scopes where tenant_id = $1 and ($2::text is null or scope_id > $2)
      order by scope_id limit $3`,
    [tenantId, afterScopeId ?? null, limit],
  )
  return rows.map(toScope)
}

function toScope(row: ScopeColumns): ScopeRow {
  return {
    scopeId: row.scope_id,
    displayName: row.display_name,
    epoch: row.epoch,
    createdAt: row.created_at,
  }
}
