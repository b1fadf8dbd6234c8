/**
 * Builds the first part of statements that scan the backlog in a bounded number of steps, however many scopes have one. The
 * statement hops through the index from tenant to tenant (a loose index scan), skips tenants that are paused, and then hops
 * from scope to scope of the others. If more are waiting than one scan visits, a cursor says where the next scan continues.
 */

/** Each tenant costs an index lookup in every partition, some 0.1 ms. */
export const MAX_TENANTS_PER_SHARD = 64
/** Scopes visited in one scan, shared by all tenants; each tenant gets at least two. Each costs an index lookup in one partition. */
const MAX_SCOPES = 512

/** Starts at the beginning of the backlog. */
const NO_CURSOR = '{}'
/** A longer cursor is dropped: entries of tenants without a backlog may accumulate in it. */
const MAX_CURSOR_LENGTH = 256 * 1024

/** Where the next scan of the backlog continues. A process that loses it starts from the beginning. */
export interface BacklogCursor {
  /** The cursor as the statement returned it. Only the statement reads it. */
  text: string
}

export function createBacklogCursor(): BacklogCursor {
  return { text: NO_CURSOR }
}

export function advanceCursor(cursor: BacklogCursor, next: string | null | undefined): void {
  cursor.text = !next || next.length > MAX_CURSOR_LENGTH ? NO_CURSOR : next
}

interface Hop {
  /** The placeholder of the cursor, such as `$5`. */
  readonly cursor: string
  /** A condition in SQL under which the scan starts. */
  readonly condition?: string
  /** `due` skips documents that may not be dispatched yet. */
  readonly which: 'due' | 'all'
}

const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`

const tenantAfter = (shard: string, tenant: string) => `
        select tenant_id from work where state = 'queued' and shard = ${shard} and tenant_id > ${tenant}
         order by tenant_id, scope_id, position limit 1`

/** Wraps around: reads `start` only if there is nothing behind `after`. */
const wrapped = (after: string, start: string) =>
  `(select * from (${after}) a union all select * from (${start}) s limit 1)`

/**
 * Returns the CTEs that follow `with recursive` and a CTE `shards`: `backlog` has the oldest document of each visited scope, and
 * `next_place` has the next cursor. It goes shard by shard and orders by position too, so the planner can use no other index and no
 * scan from the beginning. Switches are looked up one by one, because a join would read all of them. After the last tenant
 * or scope the cursor wraps around to the first.
 */
export function hopBacklog({ cursor, condition = 'true', which }: Hop): string {
  const when = which === 'due' ? 'and not_before <= now()' : ''
  const scopeAfter = (row: string, scope: string) => `
        select scope_id, position, queued_at, not_before from work
         where state = 'queued' and shard = ${row}.shard and tenant_id = ${row}.tenant_id ${when} and scope_id > ${scope}
         order by scope_id, position limit 1`
  const lastTenant = `(${cursor}::jsonb -> 'tenants' ->> shards.shard::text)::uuid`
  const lastScope = `${cursor}::jsonb -> 'scopes' ->> v.tenant_id::text`
  return `
      tenants_met as (
        select shards.shard, first.tenant_id, 1 as nth from shards
          cross join lateral ${wrapped(tenantAfter('shards.shard', lastTenant), tenantAfter('shards.shard', NOBODY))} first
         where ${condition}
        union all
        select met.shard, next.tenant_id, met.nth + 1 from tenants_met met
          cross join lateral (${tenantAfter('met.shard', 'met.tenant_id')}) next
         where met.nth < ${MAX_TENANTS_PER_SHARD}
      ), visited as materialized (
        select shard, tenant_id from tenants_met m
         where coalesce((select t.state from tenant_switches t where t.tenant_id = m.tenant_id), 'running') = 'running'
      ), scopes_each as materialized (
        select greatest(2, ${MAX_SCOPES} / greatest(count(*), 1)) as most from visited
      ), backlog as (
        select v.shard, v.tenant_id, first.*, 1 as nth from visited v
          cross join lateral ${wrapped(scopeAfter('v', lastScope), scopeAfter('v', `''`))} first
        union all
        select backlog.shard, backlog.tenant_id, next.*, backlog.nth + 1 from backlog
          cross join lateral (${scopeAfter('backlog', 'backlog.scope_id')}) next
         where backlog.nth < (select most from scopes_each)
      ), cut_tenants as materialized (
        select shard, tenant_id from tenants_met where nth = ${MAX_TENANTS_PER_SHARD}
      ), cut_scopes as materialized (
        select shard, tenant_id, scope_id from backlog where nth = (select most from scopes_each)
      ), next_place as (
        select jsonb_build_object(
                 'tenants', (select coalesce(jsonb_object_agg(shard, tenant_id), '{}') from cut_tenants),
                 'scopes', coalesce(${cursor}::jsonb -> 'scopes', '{}')
                             - array(select tenant_id::text from tenants_met)
                           || (select coalesce(jsonb_object_agg(tenant_id, scope_id), '{}') from cut_scopes))::text as cursor
      )`
}
