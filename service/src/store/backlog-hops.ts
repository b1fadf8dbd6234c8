/**
 * The start of a statement that looks at the whole backlog without reading it: it hops through the index from one scope
 * that has a backlog to the next, as the release does, so its cost grows with the scopes that wait and not with the
 * documents.
 */

/**
 * For behind `with recursive`: `shards`, and `backlog` with the first document of each scope, which is its oldest. `due`
 * leaves out what may not be released yet.
 */
export function hopBacklog(which: 'due' | 'all'): string {
  const when = which === 'due' ? 'and not_before <= now()' : ''
  return `
      shards as (
        select shard from dispatch_leases
      ), backlog as (
        select shards.shard, first.tenant_id, first.scope_id, first.queued_at, first.not_before from shards
          cross join lateral (select tenant_id, scope_id, queued_at, not_before from work
                               where state = 'queued' and shard = shards.shard ${when}
                               order by tenant_id, scope_id, position limit 1) first
        union all
        select backlog.shard, next.tenant_id, next.scope_id, next.queued_at, next.not_before from backlog
          cross join lateral (select tenant_id, scope_id, queued_at, not_before from work
                               where state = 'queued' and shard = backlog.shard ${when}
                                 and (tenant_id, scope_id) > (backlog.tenant_id, backlog.scope_id)
                               order by tenant_id, scope_id, position limit 1) next
      )`
}
