/** What the health of the kernel is judged by, as the kernel role: figures over all tenants, nobody's. */
import type { OpenWork } from '../domain/kernel-health.ts'
import { hopBacklog } from './backlog-hops.ts'
import type { Pool } from './pools.ts'

/**
 * What waits is looked at scope by scope; what is out is bounded by the window. An attempt that failed waits with the
 * broker for its next turn, and that is counted from the failure; for what was never tried it does not matter how often
 * it was released.
 */
export async function selectOpenWork(kernel: Pick<Pool, 'query'>): Promise<OpenWork> {
  const { rows } = await kernel.query<{ oldest: number | null; waited: number | null; under_way: number }>({
    name: 'select-open-work',
    text: `
      with recursive ${hopBacklog('due')}, open as (
        select tenant_id, scope_id, 'queued' as state, queued_at, greatest(queued_at, not_before) as since from backlog
        union all
        select tenant_id, scope_id, state, queued_at, case when attempt = 0 then greatest(queued_at, not_before) else touched_at end
          from work where state <> 'queued' and shard = any(array(select shard from shards))
      ), allowed as (
        select open.state, open.queued_at,
               greatest(open.since, s.running_since, t.changed_at, h.runtime_changed_at) as since
          from open
          join service_switch s on s.state = 'running'
          join scope_heads h on h.tenant_id = open.tenant_id and h.scope_id = open.scope_id
                            and h.runtime_state = 'running'
          left join tenant_switches t on t.tenant_id = open.tenant_id
         where coalesce(t.state, 'running') = 'running'
      )
      select (extract(epoch from now() - min(queued_at) filter (where state <> 'processing')) * 1000)::float as oldest,
             (extract(epoch from now() - min(since) filter (where state <> 'processing')) * 1000)::float as waited,
             count(*) filter (where state = 'processing')::int as under_way
        from allowed`,
  })
  const [row] = rows
  return {
    oldestAgeMs: atLeastZero(row?.oldest),
    waitedMs: atLeastZero(row?.waited),
    underWay: row?.under_way ?? 0,
  }
}

/** How long ago the lease that is furthest behind was renewed; null while a shard is nobody's. */
export async function selectDispatcherLagMs(kernel: Pool, leaseSeconds: number): Promise<number | null> {
  const { rows } = await kernel.query<{ lag: number | null }>(
    `select case when bool_and(holder is not null and isfinite(expires_at))
                 then (extract(epoch from now() - min(expires_at)) + $1::float) * 1000 end::float as lag
       from dispatch_leases`,
    [leaseSeconds],
  )
  return atLeastZero(rows[0]?.lag)
}

/** A transaction that is a little younger than the one that asks seems to come from the future. */
function atLeastZero(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : Math.max(0, ms)
}
