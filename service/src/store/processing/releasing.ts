/**
 * Statements of the dispatcher, as the kernel role: they see the work of all tenants, ids only. Nobody's by nature:
 * fairness between tenants can only be decided by someone who sees them all.
 */
import { createBacklogPlace, hopBacklog, MAX_TENANTS_PER_SHARD, moveTo } from './backlog-hops.ts'
import type { BacklogPlace } from './backlog-hops.ts'
import type { Pool } from '../pools.ts'

export interface ReleasedWork {
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
  /** The cursor of the last row, which is no work. */
  readonly cursor: string | null
}

/**
 * Takes over what nobody holds any more and renews what is held; returns the shards held until the lease ends. Whoever
 * locks leases does so in the order of the shards, so that none of them waits for another in a circle.
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

export async function giveUpLeases(pool: Pool, holder: string): Promise<void> {
  await pool.query(
    `update dispatch_leases set holder = null, expires_at = '-infinity'
      where shard = any(array(select shard from dispatch_leases where holder = $1 order by shard for update))`,
    [holder],
  )
}

/** How much is out with the broker or the workers, whoever released it: the broker's one queue holds it all. Later tickets are left out. */
export async function countReleased(pool: Pool, upToTicket?: string): Promise<number> {
  const { rows } = await pool.query<{ released: number }>(
    `select count(*)::int as released from work
      where state <> 'queued' -- @point dispatch.recall.in-flight
        and ($1::bigint is null or ticket <= $1)`,
    [upToTicket ?? null],
  )
  return rows[0]?.released ?? 0
}

/** The highest one that is out; undefined while nothing is. */
export async function selectLastTicket(pool: Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ ticket: string | null }>(
    `select max(ticket)::text as ticket from work where state <> 'queued'`,
  )
  return rows[0]?.ticket ?? undefined
}

export interface ReleaseRequest {
  readonly holder: string
  /** To release from; nothing comes from one that the holder has not, or not any more. */
  readonly shards: readonly number[]
  /** How much may be out of all shards that the holder has, whether it knows of each already or not. */
  readonly window: number
  /** How many documents of a tenant may go to the priority queue at a time; none by default. */
  readonly priority?: number
  /** Where to look, when more scopes wait than one step looks at; moved on by each step. */
  readonly place?: BacklogPlace
}

/** Dispatches work of shards $1, as holder $2, up to window $3, at most $4 documents of a tenant with priority, from cursor $5 on. */
const RELEASE = `
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
 * Fills the window, those of the tenant with the least under way first, each tenant in its own order. The leases are
 * looked at, and what is out is counted, in the statement that releases: whoever comes late gets nothing, and whoever
 * wants to take a shard over waits for the end of it and then counts what went out here.
 * The first few of a tenant that has few documents in flight go to the priority queue: the window of somebody else does not stand before
 * them. Little is less than its part of a quarter of the window, and not a fixed number: after a moment in which nothing
 * moved, a tenant would have that many in the standard queue, its next ones would join them, and so on for ever. An eighth of
 * the window is for the priority queue alone, so that a tenant that comes while the window is full does not wait for an attempt to end.
 * The recursive part finds scopes that have a backlog by hopping through the index from one to the next, a bounded number in each step,
 * so a step takes as long with 100,000 scopes as with 1,000. It does not start when there is no room. Each step visits all tenants that
 * wait, up to a bound, and some scopes of each, so that no tenant waits while the scopes of another are gone through; what it did not
 * visit is visited by the next steps. Tenants that a switch holds are left out before their scopes are visited, and scopes that a switch
 * holds after it; where very many are left, only a few documents of each are looked at.
 * After the whole service was let run again the window grows by a tenth a second, so that what waited does not come
 * down on everybody at once.
 * How many are chosen cannot be known when the statement is planned. The bounds of the position, which leave nothing out,
 * and the arrays keep Postgres from expecting the whole backlog: it would read all of it, and compile code for that.
 */
export async function releaseWork(
  pool: Pick<Pool, 'query'>,
  { holder, shards, window, priority = 0, place = createBacklogPlace() }: ReleaseRequest,
): Promise<ReleasedWork[]> {
  const { rows } = await pool.query<WorkColumns>({
    name: 'release-work',
    text: RELEASE,
    values: [shards, holder, window, priority, place.cursor],
  })
  moveTo(place, rows.pop()?.cursor)
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    scopeId: row.scope_id,
    documentId: row.document_id,
    version: row.version,
    ticket: row.ticket,
    priority: row.priority,
  }))
}

/** How long something may be out before it is taken for lost. */
export interface RecallAge {
  readonly readySeconds: number
  readonly processingSeconds: number
}

const LOST = `shard = any($1) and ((state = 'ready' and touched_at < now() - make_interval(secs => $2))
                                or (state = 'processing' and touched_at < now() - make_interval(secs => $3)))`

/**
 * Puts back what the broker no longer holds. The next release gives it a new ticket, so whatever should turn up of the
 * old one after all matches nothing. Nobody claims meanwhile: a claim that had found the row just before would begin an
 * attempt on it that matches nothing either, and the document would wait for the longest recall age.
 */
export async function recallWork(
  pool: Pick<Pool, 'query'>,
  shards: readonly number[],
  olderThan: RecallAge,
): Promise<number> {
  const values = [shards, olderThan.readySeconds, olderThan.processingSeconds]
  const { rows } = await pool.query(`select 1 as lost from work where ${LOST} limit 1`, values)
  // Looked at every second, and almost always in vain: nobody should have to wait for that.
  if (rows.length === 0) return 0
  // @point dispatch.recall.write
  const { rowCount } = await pool.query(
    `with alone as materialized (select hold_service_switch_alone())
     update work set state = 'queued', ticket = null, touched_at = now() from alone where ${LOST}`,
    values,
  )
  return rowCount ?? 0
}
