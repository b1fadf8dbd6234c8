/** Selects the size of the backlog and the number of arrivals over all tenants. Runs as the kernel role. */
import { advanceCursor, createBacklogCursor, hopBacklog } from './backlog-hops.ts'
import type { BacklogCursor } from './backlog-hops.ts'
import type { Pool } from '../pools.ts'

export interface WorkStats {
  /** The number of documents that were ever queued. It never decreases. */
  readonly arrivals: number
  /** The number of documents that wait and may run, counted up to a bound. */
  readonly waiting: number
  readonly oldestWaitMs: number | null
}

/** Counting stops here, so that a long backlog does not make the statement slow. */
const MAX_COUNTED = 10_000

interface WorkStatsColumns {
  readonly arrivals: string
  readonly waiting: number
  readonly oldest: number | null
  readonly cursor: string
}

/**
 * Hops from one scope with a backlog to the next and counts until the bound is reached, so neither a long backlog nor paused scopes
 * make it slow. If a tenant has more scopes than one scan visits, all its queued documents count if one of the visited scopes may run;
 * the next scan continues after them. All positions in the backlog come from one sequence, whose value is the number of arrivals.
 */
export async function selectWorkStats(
  kernel: Pick<Pool, 'query'>,
  cursor: BacklogCursor = createBacklogCursor(),
): Promise<WorkStats> {
  const { rows } = await kernel.query<WorkStatsColumns>({
    name: 'select-work-stats',
    text: `
      with recursive shards as (
        select shard from dispatch_leases
      ), ${hopBacklog({ cursor: '$1', which: 'all' })}, allowed as materialized (
        select backlog.* from backlog
          join service_switch s on s.state = 'running'
         where exists (select from scope_heads h
                        where h.tenant_id = backlog.tenant_id and h.scope_id = backlog.scope_id
                          and h.runtime_state = 'running' and not h.erasing)
      ), queued as (
        select from (
          select from allowed a
            cross join lateral (select from work w
                                 where w.state = 'queued' and w.shard = a.shard and w.tenant_id = a.tenant_id
                                   and w.scope_id = a.scope_id and w.position > 0) each
           where not exists (select from cut_scopes c where c.tenant_id = a.tenant_id)
           union all
          select from cut_scopes c
            cross join lateral (select from work w
                                 where w.state = 'queued' and w.shard = c.shard and w.tenant_id = c.tenant_id
                                 order by w.scope_id, w.position limit ${MAX_COUNTED}) each
           where exists (select from allowed a where a.tenant_id = c.tenant_id)) each
         limit ${MAX_COUNTED}
      ), ready as (
        select min(queued_at) as oldest, count(*) as number
          from work where state = 'ready' and shard = any(array(select shard from shards))
      )
      select (select case when is_called then last_value else 0 end from work_positions) as arrivals,
             ((select count(*) from queued) + (select number from ready))::int as waiting,
             (extract(epoch from now() - least((select min(queued_at) from allowed), (select oldest from ready)))
               * 1000)::float as oldest,
             (select cursor from next_place) as cursor`,
    values: [cursor.text],
  })
  const [row] = rows
  advanceCursor(cursor, row?.cursor)
  return {
    arrivals: Number(row?.arrivals ?? 0),
    waiting: row?.waiting ?? 0,
    oldestWaitMs: row?.oldest === null || row?.oldest === undefined ? null : Math.max(0, row.oldest),
  }
}
