/**
 * The statements of the sweeper. The kernel role stores its position and finds scopes; rows are deleted in a transaction of their tenant.
 * Each statement deletes a bounded number of rows. Rows that are locked are left for the next pass.
 */
import type { Walk } from '../../domain/retention.ts'
import type { PoolConnection, Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'

/** The last scope that the sweeper visited, and for the walk through documents the last document. */
export interface SweepPosition {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string | null
}

export interface SweepLease {
  /** Null at the beginning of a pass. */
  readonly position: SweepPosition | null
}

export interface SweepRequest {
  readonly walk: Walk
  readonly holder: string
}

/** Leases a walk. Returns undefined if another dispatcher has the lease, or if the next pass is not due. */
export async function leaseSweep(
  kernel: Pool,
  { walk, holder }: SweepRequest,
  { leaseSeconds, intervalSeconds }: { readonly leaseSeconds: number; readonly intervalSeconds: number },
): Promise<SweepLease | undefined> {
  const { rows } = await kernel.query<{
    at_tenant: string | null
    at_scope: string | null
    at_document: string | null
  }>(
    `update retention_sweeps
        set holder = $2, expires_at = now() + make_interval(secs => $3),
            pass_began_at = case when at_tenant is null then now() else pass_began_at end
      where walk = $1 and (holder = $2 or expires_at < now())
        and (at_tenant is not null or pass_began_at <= now() - make_interval(secs => $4))
     returning at_tenant, at_scope, at_document`,
    [walk, holder, leaseSeconds, intervalSeconds],
  )
  const [row] = rows
  if (!row) return undefined
  const { at_tenant: tenantId, at_scope: scopeId, at_document: documentId } = row
  return { position: tenantId === null || scopeId === null ? null : { tenantId, scopeId, documentId } }
}

/** Stores the position of a walk. Null means that the pass is complete. */
export async function saveSweep(
  kernel: Pool,
  { walk, holder }: SweepRequest,
  position: SweepPosition | null,
): Promise<void> {
  await kernel.query(
    `update retention_sweeps
        set at_tenant = $3::uuid, at_scope = $4, at_document = $5,
            swept_to = case when $3::uuid is null then pass_began_at else swept_to end
      where walk = $1 and holder = $2`,
    [walk, holder, position?.tenantId ?? null, position?.scopeId ?? null, position?.documentId ?? null],
  )
}

/** Releases all leases of the holder. */
export async function releaseSweeps(kernel: Pool, holder: string): Promise<void> {
  await kernel.query(
    `update retention_sweeps set holder = null, expires_at = '-infinity' where holder = $1`,
    [holder],
  )
}

export interface SweepAge {
  readonly walk: Walk
  /** The time since the last completed pass began. */
  readonly ageMs: number
}

export async function selectSweepAges(kernel: Pick<Pool, 'query'>): Promise<SweepAge[]> {
  const { rows } = await kernel.query<SweepAge>(
    `select walk, greatest(0, extract(epoch from now() - swept_to) * 1000)::float as "ageMs"
       from retention_sweeps order by walk`,
  )
  return rows
}

/** Selects the scopes after the position, in the order of tenant and scope. */
export async function selectScopesAfter(
  kernel: Pool,
  position: SweepPosition | null,
  limit: number,
): Promise<SweepPosition[]> {
  const { rows } = await kernel.query<{ tenant_id: string; scope_id: string }>(
    `select tenant_id, scope_id from scope_heads
      where (tenant_id, scope_id) > ($1::uuid, $2::text collate "C") order by tenant_id, scope_id limit $3`,
    [position?.tenantId ?? '00000000-0000-0000-0000-000000000000', position?.scopeId ?? '', limit],
  )
  return rows.map((row) => ({ tenantId: row.tenant_id, scopeId: row.scope_id, documentId: null }))
}

/** Prepares a transaction that deletes: it waits at most 200 ms for a lock, and its statements use indexes. */
export async function beginRemoval(connection: Pick<PoolConnection, 'query'>): Promise<void> {
  await connection.query(
    `select set_config('lock_timeout', '200ms', true), set_config('enable_seqscan', 'off', true),
            set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
  )
}

/** Deletes expired idempotency keys. A key that is used again meanwhile is kept. */
export async function deleteDueKeys(
  { connection, tenantId }: TenantTransaction,
  scopeIds: readonly string[],
  olderThanSeconds: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await connection.query(
    `with due as materialized (
       select k.key_hash from unnest($2::text[]) s(scope_id)
        cross join lateral (
          select key_hash from idempotency_keys
           where tenant_id = $1 and scope_id = s.scope_id and created_at < now() - make_interval(secs => $3)
           order by created_at limit $4) k
        limit $4
     )
     delete from idempotency_keys k using due
      where k.tenant_id = $1 and k.key_hash = due.key_hash and k.created_at < now() - make_interval(secs => $3)`,
    [tenantId, scopeIds, olderThanSeconds, limit],
  )
  return rowCount ?? 0
}

/**
 * Deletes the oldest entries of each log, without leaving a gap. The newest entry is kept, and so is every entry after the position of a
 * certificate, because these entries determine whether the certificate is current.
 */
export async function deleteDueEvents(
  { connection, tenantId }: TenantTransaction,
  scopeIds: readonly string[],
  olderThanSeconds: number,
  limit: number,
): Promise<number> {
  const { rows } = await connection.query<{ removed: number }>(
    `with ends as materialized (
       select h.scope_id, least(h.head - 1, (select min(c.log_position) from certificates c
                                              where c.tenant_id = $1 and c.scope_id = h.scope_id)) as last
         from scope_heads h where h.tenant_id = $1 and h.scope_id = any($2)
          and (select l.at from scope_log l where l.tenant_id = $1 and l.scope_id = h.scope_id order by l.seq limit 1)
              < now() - make_interval(secs => $3)
     ), due as materialized (
       select e.scope_id, l.seq from ends e
        cross join lateral (
          select seq, bool_and(at < now() - make_interval(secs => $3)) over (order by seq) as is_due
            from (select seq, at from scope_log
                   where tenant_id = $1 and scope_id = e.scope_id order by seq limit $4) oldest) l
        where l.is_due and l.seq <= e.last
        limit $4
     ), removed as (
       delete from scope_log l using due where l.tenant_id = $1 and l.scope_id = due.scope_id and l.seq = due.seq
       returning l.kernel_seq
     ), marked as (
       update log_start set kernel_seq = greatest(log_start.kernel_seq, r.last)
         from (select max(kernel_seq) as last from removed) r where r.last is not null
     )
     select count(*)::int as removed from removed`,
    [tenantId, scopeIds, olderThanSeconds, limit],
  )
  return rows[0]?.removed ?? 0
}

/** Deletes entries that belong to no scope. */
export async function deleteDueKernelEvents(
  connection: Pick<PoolConnection, 'query'>,
  olderThanSeconds: number,
  limit: number,
): Promise<number> {
  const { rows } = await connection.query<{ removed: number }>(
    `with due as materialized (
       select kernel_seq from (select kernel_seq, at from kernel_log order by kernel_seq limit $2) oldest
        where at < now() - make_interval(secs => $1)
     ), removed as (
       delete from kernel_log k using due where k.kernel_seq = due.kernel_seq returning k.kernel_seq
     ), marked as (
       update log_start set kernel_seq = greatest(log_start.kernel_seq, r.last)
         from (select max(kernel_seq) as last from removed) r where r.last is not null
     )
     select count(*)::int as removed from removed`,
    [olderThanSeconds, limit],
  )
  return rows[0]?.removed ?? 0
}

export interface RemovedVersions {
  readonly removed: number
  /** The last document that was checked; null if it was the last one of the scope. */
  readonly lastDocumentId: string | null
}

/** Deletes superseded versions of the next documents of a scope, the oldest first. */
export async function deleteDueVersions(
  { connection, tenantId }: TenantTransaction,
  { scopeId, documentId }: { readonly scopeId: string; readonly documentId: string | null },
  olderThanSeconds: number,
  { documents, limit }: { readonly documents: number; readonly limit: number },
): Promise<RemovedVersions> {
  const { rows } = await connection.query<{ removed: number; last: string | null }>(
    `with page as materialized (
       select document_id, version from documents
        where tenant_id = $1 and scope_id = $2 and document_id > $3::text collate "C" order by document_id limit $5
     ), due as materialized (
       select p.document_id, v.version from page p
        cross join lateral (
          select version, status, ended_at from document_versions
           where tenant_id = $1 and scope_id = $2 and document_id = p.document_id and version < p.version
           order by version limit $6) v
        where p.version > 1 and v.status = 'superseded' and v.ended_at < now() - make_interval(secs => $4)
        limit $6
     ), removed as (
       delete from document_versions v using due
        where v.tenant_id = $1 and v.scope_id = $2 and v.document_id = due.document_id and v.version = due.version
          and v.status = 'superseded'
       returning 1
     )
     select (select count(*)::int from removed) as removed, (select max(document_id) from page having count(*) = $5) as last`,
    [tenantId, scopeId, documentId ?? '', olderThanSeconds, documents, limit],
  )
  return { removed: rows[0]?.removed ?? 0, lastDocumentId: rows[0]?.last ?? null }
}
