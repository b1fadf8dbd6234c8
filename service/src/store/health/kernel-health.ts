/** Selects the metrics of the kernel's health over all tenants. Runs as the kernel role. */
import type { OpenWork } from '../../domain/kernel-health.ts'
import { advanceCursor, createBacklogCursor, hopBacklog } from '../processing/backlog-hops.ts'
import type { BacklogCursor } from '../processing/backlog-hops.ts'
import type { Pool } from '../pools.ts'

interface OpenWorkColumns {
  readonly oldest: number | null
  readonly waited: number | null
  readonly under_way: number
  readonly cursor: string
}

/**
 * Selects the age of the oldest waiting work and the number of attempts in progress. It scans the backlog scope by scope; the window
 * bounds the work in flight. After a failed attempt, the wait counts from the failure. Work that was never tried waits since it was
 * queued, however often it was dispatched. If more scopes are waiting than one scan visits, the next scan continues there: when
 * processing stalls, the wait grows in every scope, so any scope reveals it.
 */
export async function selectOpenWork(
  kernel: Pick<Pool, 'query'>,
  cursor: BacklogCursor = createBacklogCursor(),
): Promise<OpenWork> {
  const { rows } = await kernel.query<OpenWorkColumns>({
    name: 'select-open-work',
    text: `
      with recursive shards as (
        select shard from dispatch_leases
      ), ${hopBacklog({ cursor: '$1', which: 'due' })}, open as (
        select tenant_id, scope_id, 'queued' as state, queued_at, greatest(queued_at, not_before) as since from backlog
        union all
        select tenant_id, scope_id, state, queued_at, case when attempt = 0 then greatest(queued_at, not_before) else touched_at end
          from work where state <> 'queued' and shard = any(array(select shard from shards))
      ), allowed as (
        select open.state, open.queued_at,
               greatest(open.since, s.running_since, t.changed_at, h.runtime_changed_at) as since
          from open
          join service_switch s on s.state = 'running'
          cross join lateral (select * from scope_heads h
                               where h.tenant_id = open.tenant_id and h.scope_id = open.scope_id limit 1) h
          left join lateral (select * from tenant_switches t where t.tenant_id = open.tenant_id limit 1) t on true
         where h.runtime_state = 'running' and not h.erasing and coalesce(t.state, 'running') = 'running'
      )
      select (extract(epoch from now() - min(queued_at) filter (where state <> 'processing')) * 1000)::float as oldest,
             (extract(epoch from now() - min(since) filter (where state <> 'processing')) * 1000)::float as waited,
             count(*) filter (where state = 'processing')::int as under_way,
             (select cursor from next_place) as cursor
        from allowed`,
    values: [cursor.text],
  })
  const [row] = rows
  advanceCursor(cursor, row?.cursor)
  return {
    oldestAgeMs: atLeastZero(row?.oldest),
    waitedMs: atLeastZero(row?.waited),
    inFlight: row?.under_way ?? 0,
  }
}

/** Selects the time since the oldest lease was renewed; null while a shard has no holder. */
export async function selectDispatcherLagMs(kernel: Pool, leaseSeconds: number): Promise<number | null> {
  const { rows } = await kernel.query<{ lag: number | null }>(
    `select case when bool_and(holder is not null and isfinite(expires_at))
                 then (extract(epoch from now() - min(expires_at)) + $1::float) * 1000 end::float as lag
       from dispatch_leases`,
    [leaseSeconds],
  )
  return atLeastZero(rows[0]?.lag)
}

/** Replaces negative ages by 0: a row of a slightly younger transaction has a timestamp in the future. */
function atLeastZero(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : Math.max(0, ms)
}
