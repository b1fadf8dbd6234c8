/**
 * The statements of the dispatcher. They run as the kernel role and see the work of all tenants, ids only, because fairness between
 * tenants can only be decided over all of them.
 */
import { createBacklogCursor, hopBacklog, MAX_TENANTS_PER_SHARD, advanceCursor } from './backlog-hops.ts'
import type { BacklogCursor } from './backlog-hops.ts'
import type { Pool } from '../pools.ts'

export interface DispatchedWork {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly version: number
  readonly ticket: string
  /** Its tenant has so few documents in flight that it goes to the priority queue. */
  readonly priority: boolean
}

interface WorkColumns {
  readonly tenant_id: string
  readonly scope_id: string
  readonly document_id: string
  readonly version: number
  readonly ticket: string
  readonly priority: boolean
  /** The backlog cursor. Only the last row has it, and that row is no work. */
  readonly cursor: string | null
}

/**
 * Renews the leases of the holder and takes over expired ones. Returns the shards held until the leases expire. All statements lock
 * leases in the order of the shards, so they cannot deadlock.
 */
export async function renewLeases(pool: Pool, holder: string, seconds: number): Promise<number[]> {
  const { rows } = await pool.query<{ shard: number }>(
    `update dispatch_leases set holder = $1, expires_at = now() + make_interval(secs => $2)
      where shard = any(array(select shard from dispatch_leases where holder = $1 or expires_at < now()
                               order by shard for update))
     returning shard`,
    [holder, seconds],
  )
  return rows.map(({ shard }) => shard)
}

export async function releaseLeases(pool: Pool, holder: string): Promise<void> {
  await pool.query(
    `update dispatch_leases set holder = null, expires_at = '-infinity'
      where shard = any(array(select shard from dispatch_leases where holder = $1 order by shard for update))`,
    [holder],
  )
}

/** Counts the work in flight of all dispatchers, because one queue of the broker holds it all. Work with a later ticket does not count. */
export async function countDispatched(pool: Pool, upToTicket?: string): Promise<number> {
  const { rows } = await pool.query<{ dispatched: number }>(
    `select count(*)::int as dispatched from work
      where state <> 'queued' -- @point dispatch.recall.in-flight
        and ($1::bigint is null or ticket <= $1)`,
    [upToTicket ?? null],
  )
  return rows[0]?.dispatched ?? 0
}

/** Returns the highest ticket in flight, or undefined if nothing is in flight. */
export async function selectLastTicket(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ ticket: string | null }>(
    `select max(ticket)::text as ticket from work where state <> 'queued'`,
  )
  return rows[0]?.ticket ?? undefined
}

export interface DispatchRequest {
  readonly holder: string
  /** The shards to dispatch from. Shards whose lease the holder does not have, or has lost, are skipped. */
  readonly shards: readonly number[]
  /** The maximum in flight over all shards that the holder has in the database, including ones it does not know of yet. */
  readonly window: number
  /** The maximum number of documents of one tenant in the priority queue. Default: none. */
  readonly priority?: number
  /** Where the scan starts if more scopes are waiting than one step visits. Each step advances it. */
  readonly cursor?: BacklogCursor
}

/** Dispatches work of shards $1, as holder $2, up to window $3, at most $4 documents of a tenant with priority, starting at cursor $5. */
const DISPATCH = `
  with recursive held as materialized (
    select shard from hold_leases($2) shard
  ), served as materialized (
    select tenant_id, count(*) as under_way from work
     where shard = any(array(select shard from held)) -- @point dispatch.window.shards
       and state <> 'queued' group by tenant_id
  ), ramp as materialized (
    select case when state <> 'running' then 0
                else least(1, coalesce(0.1 + 0.1 * extract(epoch from now() - running_since), 1)) end as part
      from service_switch
  ), room as materialized (
    select greatest(most - reserve - out, 0)::bigint as free, greatest(most - out, 0)::bigint as free_for_quiet,
           case when $4 > 0 then most / 4 else 0 end as shared
      from (select ceil($3::bigint * (select part from ramp))::bigint as most) m
      cross join lateral (select case when $4::int > 0 then most / 8 else 0 end as reserve) r
      cross join (select coalesce(sum(under_way), 0) -- @point dispatch.window.in-flight
                         as out from served) o
  ), shards as (
    select shard from held where shard = any($1)
  ), ${hopBacklog({ cursor: '$5', condition: '(select free_for_quiet from room) > 0', which: 'all' })}, waiting as materialized (
    select shard, tenant_id, scope_id, position from backlog
  ), quiet as materialized (
    select greatest($4, (select shared from room) / greatest(count(*), 1)) as most
      from (select tenant_id from served union select tenant_id from waiting) active
  ), running as materialized (
    select waiting.* from waiting left join served s on s.tenant_id = waiting.tenant_id
     where ((select free from room) > 0 or coalesce(s.under_way, 0) < (select most from quiet))
       and coalesce((select h.runtime_state = 'running' and not h.erasing from scope_heads h where h.tenant_id = waiting.tenant_id
                        and h.scope_id = waiting.scope_id), true)
  ), share as materialized (
    select case when count(*) <= ${MAX_TENANTS_PER_SHARD} then (select free_for_quiet from room)
                else greatest(ceil(4 * (select free_for_quiet from room)::numeric / count(*)), 8)::bigint end as most
      from running
  ), candidates as (
    select w.*, coalesce(s.under_way, 0) as under_way,
           coalesce(s.under_way, 0) + row_number() over (partition by w.tenant_id order by w.position) as turn
      from running
      cross join lateral (
        select tenant_id, ctid as place, position from work q
         where q.shard = running.shard and q.tenant_id = running.tenant_id and q.scope_id = running.scope_id
           and q.state = 'queued'
           and q.position between running.position and (select 9223372036854775807) and q.not_before <= now()
         order by q.position limit (select most from share)) w
      left join served s on s.tenant_id = w.tenant_id
  ), first as (
    select * from candidates
     order by
       turn, -- @point dispatch.order
       position limit (select free_for_quiet from room)
  ), chosen as (
    select * from (
      select tenant_id, place, turn - under_way <= $4 and turn <= (select most from quiet) as priority,
             row_number() over (order by turn, position) as nth from first) f
     where priority or nth <= (select free from room)
  )
  select nth, tenant_id, scope_id, document_id, version, ticket, priority, null as cursor
    from release_rows(array(select tenant_id from chosen), array(select place from chosen),
                      array(select priority from chosen))
   union all
  select null, null, null, null, null, null, null,
         case when (select free_for_quiet from room) > 0 then cursor else $5::text end from next_place
   order by nth`

/**
 * Fills the window. Tenants with the least work in flight come first; the documents of a tenant stay in their order. One statement checks
 * the leases, counts the work in flight and dispatches, so a dispatcher whose lease has expired gets nothing, and one that takes a shard
 * over waits for this statement and then counts what it dispatched.
 *
 * Priority: the first documents of a tenant with little work in flight go to the priority queue, where no other tenant's backlog is
 * before them. "Little" means less than the tenant's share of a quarter of the window. A fixed number would not work: after a stall a
 * tenant would have that many in the standard queue, its next documents would join them, and so on forever. An eighth of
 * the window is reserved for the priority queue, so a tenant that arrives while the window is full does not wait for an attempt to end.
 *
 * Scan: the recursive part hops through the index from one scope with a backlog to the next, a bounded number per step, so a step
 * takes as long with 100,000 scopes as with 1,000. It does not start if the window is full. Each step visits all waiting tenants, up to
 * a bound, and some scopes of each, so no tenant waits for the scopes of another; the next steps visit the rest.
 * Paused tenants are skipped before their scopes are visited, paused scopes afterwards. With very many scopes left, only a
 * few documents of each are considered.
 *
 * Ramp-up: after the whole service resumes, the window grows by a tenth per second, so the backlog does not arrive at once.
 *
 * Planning: the number of chosen rows is unknown at planning time. The bounds of the position, which exclude nothing, and the arrays keep
 * Postgres from expecting to read the whole backlog, which would make it do so and JIT-compile the query.
 */
export async function dispatchWork(
  pool: Pick<Pool, 'query'>,
  { holder, shards, window, priority = 0, cursor = createBacklogCursor() }: DispatchRequest,
): Promise<DispatchedWork[]> {
  const { rows } = await pool.query<WorkColumns>({
    name: 'dispatch-work',
    text: DISPATCH,
    values: [shards, holder, window, priority, cursor.text],
  })
  advanceCursor(cursor, rows.pop()?.cursor)
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    scopeId: row.scope_id,
    documentId: row.document_id,
    version: row.version,
    ticket: row.ticket,
    priority: row.priority,
  }))
}

/** How long work may be in flight before it counts as lost. */
export interface RecallAge {
  readonly readySeconds: number
  readonly processingSeconds: number
}

const LOST = `shard = any($1) and ((state = 'ready' and touched_at < now() - make_interval(secs => $2))
                                or (state = 'processing' and touched_at < now() - make_interval(secs => $3)))`

/**
 * Puts work that the broker lost back into the backlog. The next dispatch gives it a new ticket, so a late message with the old
 * ticket matches nothing. No attempt can start meanwhile: an attempt that had found the row just before would match nothing
 * either, and the document would wait for the longest recall age.
 */
export async function recallWork(
  pool: Pick<Pool, 'query'>,
  shards: readonly number[],
  olderThan: RecallAge,
): Promise<number> {
  const values = [shards, olderThan.readySeconds, olderThan.processingSeconds]
  const { rows } = await pool.query(`select 1 as lost from work where ${LOST} limit 1`, values)
  // This runs every second and almost always finds nothing, so it first looks without a lock.
  if (rows.length === 0) return 0
  // @point dispatch.recall.write
  const { rowCount } = await pool.query(
    `with alone as materialized (select hold_service_switch_alone())
     update work set state = 'queued', ticket = null, touched_at = now() from alone where ${LOST}`,
    values,
  )
  return rowCount ?? 0
}
