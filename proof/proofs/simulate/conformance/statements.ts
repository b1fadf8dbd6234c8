/** Statements of the comparison itself: an empty start, time that passes, a shard set free, a reset, and all that is stored. */
import type { Place } from '../store.ts'
import type { Pool } from './product.ts'

const TABLES = ['work', 'readings', 'document_versions', 'documents', 'scope_log']

export async function clear(pool: Pool, scopes: readonly Place[]): Promise<void> {
  const deletions = [...TABLES, 'scope_heads'].map((table) => `no_${table} as (delete from ${table})`)
  await pool.query({
    name: 'clear',
    text: `with ${deletions.join()} update dispatch_leases set holder = null, expires_at = '-infinity'`,
  })
  await pool.query({
    name: 'prepare',
    text: 'insert into scope_heads (tenant_id, scope_id) select * from unnest($1::uuid[], $2::text[])',
    values: [scopes.map(({ tenant }) => tenant), scopes.map(({ scope }) => scope)],
  })
}

/** The clock of Postgres cannot be set, so everything that it is compared with is moved into the past. */
export async function passTime(pool: Pool, seconds: number): Promise<void> {
  const gone = `make_interval(secs => $1)`
  await pool.query({
    name: 'pass-time',
    text: `with aged as (update work set touched_at = touched_at - ${gone}, not_before = not_before - ${gone})
           update dispatch_leases set expires_at = expires_at - ${gone}`,
    values: [seconds],
  })
}

export async function freeShard(pool: Pool, shard: number): Promise<void> {
  await pool.query({
    name: 'free-shard',
    text: `update dispatch_leases set holder = null, expires_at = '-infinity' where shard = $1`,
    values: [shard],
  })
}

export async function raise(pool: Pool, { tenant, scope }: Place): Promise<void> {
  await pool.query({
    name: 'raise',
    text: 'update scope_heads set epoch = epoch + 1 where tenant_id = $1 and scope_id = $2',
    values: [tenant, scope],
  })
}

/** As designed: epoch + 1, all of the scope gone, and the log goes on. The product has no statement for it yet. */
export async function resetScope(pool: Pool, { tenant, scope }: Place): Promise<void> {
  const where = 'where tenant_id = $1 and scope_id = $2'
  const deletions = TABLES.map((table) => `no_${table} as (delete from ${table} ${where})`)
  await pool.query({
    name: 'reset',
    text: `with ${deletions.join()},
             raised as (update scope_heads set epoch = epoch + 1, head = head + 1 ${where} returning *)
           insert into scope_log (tenant_id, scope_id, seq, epoch, kind)
           select tenant_id, scope_id, head, epoch, 'scope.reset' from raised`,
    values: [tenant, scope],
  })
}

export async function selectEpoch(pool: Pool, { tenant, scope }: Place): Promise<number> {
  const { rows } = await pool.query({
    name: 'epoch',
    text: 'select epoch from scope_heads where tenant_id = $1 and scope_id = $2',
    values: [tenant, scope],
  })
  const [row] = rows as { readonly epoch: number }[]
  return row?.epoch ?? 0
}

/** In the words of the model; a ticket by the number that the model gave it. */
export async function pictureOf(
  pool: Pool,
  tickets: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const { rows } = await pool.query({
    name: 'picture',
    text: `
    select format('scope %s %s: epoch %s, head %s', tenant_id, scope_id, epoch, head) as line, null as ticket
      from scope_heads
    union all select format('document %s %s %s: %s %s %s %s %s %s', tenant_id, scope_id, document_id, epoch, version,
                            status, attempt, coalesce(error_code, 'null'), seq), null from documents
    union all select format('version %s %s %s: %s %s', tenant_id, scope_id, document_id, version, status), null
      from document_versions
    union all select format('reading %s %s %s: %s', tenant_id, scope_id, document_id, version), null from readings
    union all select format('work %s %s %s: %s %s %s %s %s %s ', tenant_id, scope_id, document_id,
                            row_number() over (order by position) - 1, version, epoch, state, shard, attempt),
                     coalesce(ticket::text, 'null') from work
    union all select format('log %s %s: %s %s %s %s %s', tenant_id, scope_id, seq, epoch, kind,
                            coalesce(document_id, 'null'), coalesce(version::text, 'null')), null from scope_log
    union all select format('lease %s: %s', shard, coalesce(holder, 'null')), null from dispatch_leases`,
  })
  return (rows as { readonly line: string; readonly ticket: string | null }[])
    .map(
      ({ line, ticket }) =>
        line + (ticket === null ? '' : (tickets.get(ticket)?.split(' ').at(-1) ?? ticket)),
    )
    .toSorted()
}
