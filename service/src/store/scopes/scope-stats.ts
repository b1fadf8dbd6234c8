/**
 * Statistics of scopes: the counts and periods that were folded, plus the changes since. Their cost depends neither on the number of
 * documents of a scope nor on the length of its log.
 */
import type { Buckets, MetricsWindow } from '../../domain/scope-metrics.ts'
import type { RuntimeState } from '../../domain/runtime.ts'
import { CONVERGENCE_OBJECT } from './convergence.ts'
import type { ConvergenceStats, HeldComparisons } from './convergence.ts'
import type { DocumentStatus } from '../documents/documents.ts'
import type { ScopeRow } from './scopes.ts'
import type { TenantTransaction } from '../transaction.ts'

/** The number of documents by status. Statuses without documents may be missing. */
export type StatusCounts = Readonly<Partial<Record<DocumentStatus, number>>>

export interface ScopeSwitches {
  readonly own: RuntimeState
  readonly ofTenant: RuntimeState
  readonly ofService: RuntimeState
  readonly generation: number
}

export interface CountedScopeRow extends ScopeRow {
  readonly switches: ScopeSwitches
  readonly documents: StatusCounts
  readonly convergence: ConvergenceStats & ReadingStats & PendingChanges
}

/** The open work in a scope. */
export interface PendingChanges {
  readonly blockersTotal: number
  /** Comparison steps that are waiting or in progress. */
  readonly comparisonsPending: number
  readonly comparisonsHeld: HeldComparisons
}

/** The share of a scope that was read and compared. */
export interface ReadingStats {
  readonly characters: number
  readonly charactersRead: number
  /** Processed documents that were not read completely. */
  readonly gaps: number
  readonly claims: number
  readonly claimsCompared: number
}

export interface ScopeSummaryRow extends CountedScopeRow {
  readonly head: number
  readonly oldestQueuedAt: Date | null
  readonly lastActivityAt: Date | null
}

interface CountedColumns extends ScopeSwitches {
  readonly scope_id: string
  readonly display_name: string | null
  readonly epoch: number
  readonly created_at: Date
  readonly documents: StatusCounts
  readonly convergence: CountedScopeRow['convergence']
}

/** Counts the documents of the scope `s` by status: the folded counts plus the moves since. */
const DOCUMENT_COUNTS = `
  (select coalesce(jsonb_object_agg(status, documents), '{}')
     from (select status, greatest(0, sum(documents))::integer as documents
             from (select status, documents from scope_counts where tenant_id = $1 and scope_id = s.scope_id
                   union all
                   select to_status, documents from scope_moves where tenant_id = $1 and scope_id = s.scope_id
                   union all
                   select from_status, -documents from scope_moves
                    where tenant_id = $1 and scope_id = s.scope_id and from_status is not null) each
            group by status) summed)`

/** The columns of `s`, a scope, `h`, its head, and `c`, its convergence. */
const COUNTED_COLUMNS = `
  s.scope_id, s.display_name, s.epoch, s.created_at, h.runtime_state as own, h.runtime_generation as generation,
  (select state from service_switch) as "ofService",
  coalesce((select state from tenant_switches where tenant_id = $1), 'running') as "ofTenant",
  ${DOCUMENT_COUNTS} as documents,
  ${CONVERGENCE_OBJECT} as convergence`

export async function selectScopeSummary(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<ScopeSummaryRow | undefined> {
  const { rows } = await connection.query<
    CountedColumns & { head: string; oldest_queued_at: Date | null; last_activity_at: Date | null }
  >(
    // A position in the backlog is assigned when a document is queued, so the first is the oldest. Few documents are dispatched.
    `select ${COUNTED_COLUMNS}, h.head,
            (select at from scope_log where tenant_id = $1 and scope_id = s.scope_id and seq = h.head) as last_activity_at,
            least((select queued_at from work
                    where state = 'queued' and shard = shard_of($1) and tenant_id = $1 and scope_id = s.scope_id
                    order by position limit 1),
                  (select min(queued_at) from work
                    where state = 'ready' and shard = shard_of($1) and tenant_id = $1 and scope_id = s.scope_id))
              as oldest_queued_at
       from scopes s join scope_heads h on h.tenant_id = s.tenant_id and h.scope_id = s.scope_id
       join scope_convergence c on c.tenant_id = s.tenant_id and c.scope_id = s.scope_id
      where s.tenant_id = $1 and s.scope_id = $2`,
    [tenantId, scopeId],
  )
  const [row] = rows
  return (
    row && {
      ...toCounted(row),
      head: Number(row.head),
      oldestQueuedAt: row.oldest_queued_at,
      lastActivityAt: row.last_activity_at,
    }
  )
}

/** Selects the counts alone, at a cost that does not grow with the number of documents. */
export async function selectDocumentCounts(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<StatusCounts> {
  const { rows } = await connection.query<{ documents: StatusCounts }>(
    `select ${DOCUMENT_COUNTS} as documents from scopes s where s.tenant_id = $1 and s.scope_id = $2`,
    [tenantId, scopeId],
  )
  return rows[0]?.documents ?? {}
}

export async function selectCountedScopes(
  { connection, tenantId }: TenantTransaction,
  afterScopeId: string | undefined,
  limit: number,
): Promise<CountedScopeRow[]> {
  const { rows } = await connection.query<CountedColumns>(
    `select ${COUNTED_COLUMNS}
       from (select * from scopes where tenant_id = $1 and ($2::text is null or scope_id > $2)
              order by scope_id limit $3) s
       join scope_heads h on h.tenant_id = s.tenant_id and h.scope_id = s.scope_id
       join scope_convergence c on c.tenant_id = s.tenant_id and c.scope_id = s.scope_id
      order by s.scope_id`,
    [tenantId, afterScopeId ?? null, limit],
  )
  return rows.map(toCounted)
}

/** Returns the time by the clock that determines periods; undefined if the scope does not exist. */
export async function selectScopeClock(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<Date | undefined> {
  const { rows } = await connection.query<{ now: Date }>(
    'select now() as now from scope_heads where tenant_id = $1 and scope_id = $2',
    [tenantId, scopeId],
  )
  return rows[0]?.now
}

export interface MetricsRow {
  readonly at: Date
  readonly accepted: number
  readonly processed: number
  readonly failed: number
  readonly waits: Buckets | null
  readonly takes: Buckets | null
  readonly opened: number
  readonly resolved: number
  readonly dismissed: number
  readonly reopened: number
}

/**
 * Selects the metrics of each interval in the order of time. Intervals without activity are left out. Each has at most one row; moves that
 * are not folded yet are summed before they are added to these rows.
 */
export async function selectScopeMetrics(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  { from, to, stepMs }: MetricsWindow,
): Promise<MetricsRow[]> {
  const { rows } = await connection.query<MetricsRow>(
    `with moves as materialized (
       select date_bin(make_interval(secs => $5::integer), at, 'epoch') as point, to_status, documents, accepted, durations
         from scope_moves where tenant_id = $1 and scope_id = $2 and at >= $3 and at < $4
     ), parts as (
       select begins_at as point, accepted, processed, failed, waits, takes from scope_periods
        where tenant_id = $1 and scope_id = $2 and seconds = $5::integer and begins_at >= $3 and begins_at < $4
       union all
       select point, sum(accepted), sum(documents) filter (where to_status = 'processed'),
              sum(documents) filter (where to_status = 'failed'), null, null from moves group by point
       union all
       select point, 0, 0, 0, jsonb_object_agg(bucket, documents) filter (where waited),
              jsonb_object_agg(bucket, documents) filter (where not waited)
         from (select point, to_status = 'processing' as waited, key as bucket, sum(value::integer) as documents
                 from moves cross join lateral jsonb_each_text(durations) group by 1, 2, 3) each
        group by point
     ), documents as (
       select point, sum(accepted)::integer as accepted, coalesce(sum(processed), 0)::integer as processed,
              coalesce(sum(failed), 0)::integer as failed, sum_buckets(waits) as waits, sum_buckets(takes) as takes
         from parts group by point
     ), contradictions as (
       select begins_at as point, opened, resolved, dismissed, reopened from contradiction_periods
        where tenant_id = $1 and scope_id = $2 and seconds = $5::integer and begins_at >= $3 and begins_at < $4
     )
     select point as at, coalesce(accepted, 0) as accepted, coalesce(processed, 0) as processed, coalesce(failed, 0) as failed,
            waits, takes, coalesce(opened, 0) as opened, coalesce(resolved, 0) as resolved,
            coalesce(dismissed, 0) as dismissed, coalesce(reopened, 0) as reopened
       from documents full join contradictions using (point) order by point`,
    [tenantId, scopeId, from, to, stepMs / 1000],
  )
  return rows
}

function toCounted(row: CountedColumns): CountedScopeRow {
  const { own, ofTenant, ofService, generation } = row
  return {
    scopeId: row.scope_id,
    displayName: row.display_name,
    epoch: row.epoch,
    createdAt: row.created_at,
    switches: { own, ofTenant, ofService, generation },
    documents: row.documents,
    convergence: row.convergence,
  }
}
