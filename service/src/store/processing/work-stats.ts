/** How much work there is and how much has come, as the kernel role: figures over all tenants, nobody's. */
import { advanceCursor, createBacklogCursor, hopBacklog } from './backlog-hops.ts'
import type { BacklogCursor } from './backlog-hops.ts'
import type { Pool } from '../pools.ts'

export interface WorkStats {
  /** Documents that were ever queued; grows only. */
  readonly arrivals: number
  /** Documents that may run and do not yet; counted as far as it matters. */
  readonly waiting: number
  readonly oldestWaitMs: number | null
}

/** Whether a thousand or a million wait beyond this makes no difference to anyone. */
const MOST = 10_000

interface FiguresColumns {
  readonly arrivals: string
  readonly waiting: number
  readonly oldest: number | null
  readonly cursor: string
}

/**
 * Goes from one scope that has a backlog to the next, and counts in those that may run until it has enough, so that
 * neither a long backlog nor one behind a switch makes it slow. Of a tenant with more scopes than one look visits, everything that is
 * queued counts if one of those visited may run; the next look goes on behind them. Every place in the backlog is drawn from one
 * sequence, which so knows how many have ever come.
 */
export async function selectWorkStats(
  kernel: Pick<Pool, 'query'>,
  cursor: BacklogCursor = createBacklogCursor(),
): Promise<WorkStats> {
  const { rows } = await kernel.query<FiguresColumns>({
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
                                 order by w.scope_id, w.position limit ${MOST}) each
           where exists (select from allowed a where a.tenant_id = c.tenant_id)) each
         limit ${MOST}
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
