/** The statements of tenants. */
import type { Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface TenantRow {
  readonly tenantId: string
  readonly name: string
  readonly createdAt: Date
}

interface TenantColumns {
  readonly tenant_id: string
  readonly name: string
  readonly created_at: Date
}

/** The position after a page of tenants. Times are in microseconds, because a Date would truncate them and skip rows. */
export interface TenantPosition {
  readonly createdAtMicros: string
  readonly tenantId: string
}

export async function insertTenant({ connection, tenantId }: TenantTransaction, name: string): Promise<void> {
  await connection.query('insert into tenants (tenant_id, name) values ($1, $2)', [tenantId, name])
}

export async function selectTenant({
  connection,
  tenantId,
}: TenantTransaction): Promise<TenantRow | undefined> {
  const { rows } = await connection.query<TenantColumns>(
    'select tenant_id, name, created_at from tenants where tenant_id = $1',
    [tenantId],
  )
  return rows[0] && toTenant(rows[0])
}

/** Locks the tenant until the commit. A transaction that checks a count of the tenant before it adds a row takes this lock. */
export async function lockTenant({ connection, tenantId }: TenantTransaction): Promise<boolean> {
  const { rowCount } = await connection.query('select from tenants where tenant_id = $1 for no key update', [
    tenantId,
  ])
  return rowCount === 1
}

/** Selects tenants by name. Runs without a tenant, because an administrator lists tenants before choosing one. */
export async function selectTenants(
  registry: Pool,
  after: TenantPosition | undefined,
  limit: number,
): Promise<(TenantRow & { readonly position: TenantPosition })[]> {
  const { rows } = await registry.query<TenantColumns & { readonly position: string }>(
    `select tenant_id, name, created_at, (extract(epoch from created_at) * 1000000)::bigint::text as position from tenants
      where $1::bigint is null
         or (created_at, tenant_id) > (timestamptz 'epoch' + $1::bigint * interval '1 microsecond', $2::uuid)
      order by created_at, tenant_id limit $3`,
    [after?.createdAtMicros ?? null, after?.tenantId ?? null, limit],
  )
  return rows.map((row) => ({
    ...toTenant(row),
    position: { createdAtMicros: row.position, tenantId: row.tenant_id },
  }))
}

/** Returns whether a tenant exists. Runs without a tenant, because a gateway may name a tenant that does not exist. */
export async function tenantExists(registry: Pool, tenantId: string): Promise<boolean> {
  const { rowCount } = await registry.query('select from tenants where tenant_id = $1::uuid', [tenantId])
  return rowCount === 1
}

function toTenant(row: TenantColumns): TenantRow {
  return { tenantId: row.tenant_id, name: row.name, createdAt: row.created_at }
}
