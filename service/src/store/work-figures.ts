/** How much work there is and how much has come, as the kernel role: figures over all tenants, nobody's. */
import { hopBacklog } from './backlog-hops.ts'
import type { Pool } from './pools.ts'

export interface WorkFigures {
  /** Documents that were ever queued; grows only. */
  readonly arrivals: number
  /** Documents that may run and do not yet; counted as far as it matters. */
  readonly waiting: number
  readonly oldestWaitMs: number | null
}

/** Whether a thousand or a million wait beyond this makes no difference to anyone. */
const MOST = 10_000

/**
 * Goes from one scope that has a backlog to the next, and counts in those that may run until it has enough, so that
 * neither a long backlog nor one behind a switch makes it slow. Every place in the backlog is drawn from one sequence,
 * which so knows how many have ever come.
 */
export async function selectWorkFigures(kernel: Pick<Pool, 'query'>): Promise<WorkFigures> {
  const { rows } = await kernel.query<{ arrivals: string; waiting: number; oldest: number | null }>({
    name: 'select-work-figures',
    text: `
      with recursive ${hopBacklog('all')}, allowed as (
        select backlog.* from backlog
          join service_switch s on s.state = 'running'
          join scope_heads h on h.tenant_id = backlog.tenant_id and h.scope_id = backlog.scope_id
                            and h.runtime_state = 'running'
         where not exists (select from tenant_switches t
                            where t.tenant_id = backlog.tenant_id and t.state <> 'running')
      ), queued as (
        select from allowed a
          cross join lateral (select from work w
                               where w.state = 'queued' and w.shard = a.shard and w.tenant_id = a.tenant_id
                                 and w.scope_id = a.scope_id and w.position > 0) each
         limit ${MOST}
      ), ready as (
        select min(queued_at) as oldest, count(*) as number
          from work where state = 'ready' and shard = any(array(select shard from shards))
      )
      select (select case when is_called then last_value else 0 end from work_positions) as arrivals,
             ((select count(*) from queued) + (select number from ready))::int as waiting,
             (extract(epoch from now() - least((select min(queued_at) from allowed), (select oldest from ready)))
               * 1000)::float as oldest`,
  })
  const [row] = rows
  return {
    arrivals: Number(row?.arrivals ?? 0),
    waiting: row?.waiting ?? 0,
    oldestWaitMs: row?.oldest === null || row?.oldest === undefined ? null : Math.max(0, row.oldest),
  }
}
