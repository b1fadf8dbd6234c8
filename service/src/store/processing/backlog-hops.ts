/**
 * The start of a statement that looks at the backlog in a bounded number of steps, however many scopes have one. It hops through the
 * index from tenant to tenant, leaves out the tenants that a switch holds, and then hops from scope to scope of the others. Where more
 * wait than one look visits, a cursor says where the next look goes on.
 */

/** Each costs a look into every partition, some 0.1 ms. */
export const MAX_TENANTS_PER_SHARD = 64
/** The largest number of scopes of all tenants together, of which each has at least two. Each costs a look into one partition. */
const MAX_SCOPES = 512

/** From the beginning. */
const NO_CURSOR = '{}'
/** Entries of tenants that have no backlog any more may be left in a cursor. */
const MAX_CURSOR_LENGTH = 256 * 1024

/** Where the next look at the backlog goes on. A process that forgets it only starts from the beginning. */
export interface BacklogPlace {
  /** The cursor as the statement wrote it; nobody else reads it. */
  cursor: string
}

export function createBacklogPlace(): BacklogPlace {
  return { cursor: NO_CURSOR }
}

export function moveTo(place: BacklogPlace, cursor: string | null | undefined): void {
  place.cursor = !cursor || cursor.length > MAX_CURSOR_LENGTH ? NO_CURSOR : cursor
}

interface Hop {
  /** The parameter that the cursor is. */
  readonly cursor: string
  /** Whether it is worth looking at all. */
  readonly condition?: string
  /** `due` leaves out what may not be dispatched yet. */
  readonly which: 'due' | 'all'
}

const NOBODY = `'00000000-0000-0000-0000-000000000000'::uuid`

const tenantAfter = (shard: string, tenant: string) => `
        select tenant_id from work where state = 'queued' and shard = ${shard} and tenant_id > ${tenant}
         order by tenant_id, scope_id, position limit 1`

/** The second is read only where the first has nothing. */
const wrapped = (after: string, start: string) =>
  `(select * from (${after}) a union all select * from (${start}) s limit 1)`

/**
 * For behind `with recursive` and a table `shards`: `backlog` with the first document of each scope visited, which is its oldest, and
 * `next_place` with the cursor. It goes shard by shard and asks for the position too, so that no other index and no scan from the
 * beginning will do. Switches are looked up one by one: joined, all that there are would be read. Behind the last one a cursor leads to the first again.
 */
export function hopBacklog({ cursor, condition = 'true', which }: Hop): string {
  const when = which === 'due' ? 'and not_before <= now()' : ''
  const scopeAfter = (place: string, scope: string) => `
        select scope_id, position, queued_at, not_before from work
         where state = 'queued' and shard = ${place}.shard and tenant_id = ${place}.tenant_id ${when} and scope_id > ${scope}
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
