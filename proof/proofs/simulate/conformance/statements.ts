/** Statements of the comparison itself: an empty start, time that passes, a shard set free, a reset, and all that is stored. */
import type { DocumentRef } from '../rules.ts'
import type { ConformancePool } from './product.ts'

const TABLES = ['work', 'readings', 'document_versions', 'documents', 'scope_log']
const FREED = `update dispatch_leases set holder = null, expires_at = '-infinity'`
const RUNNING = `runs as (update service_switch set state = 'running', running_since = null)`
const OF_SCOPE = 'where tenant_id = $1 and scope_id = $2'

/** In the words of the model, but for the ticket, which the model numbers in its own way. */
const PICTURE = `
  select format('scope %s %s: epoch %s, head %s, %s', tenant_id, scope_id, epoch, head, runtime_state) as line, null as ticket
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
  union all select format('lease %s: %s', shard, coalesce(holder, 'null')), null from dispatch_leases`

const deletions = (where: string) => TABLES.map((table) => `no_${table} as (delete from ${table} ${where})`)

export function createStatements(pool: ConformancePool) {
  const run = async <Row = void>(name: string, text: string, ...values: readonly unknown[]) =>
    (await pool.query({ name, text, values })).rows as readonly Row[]
  return {
    async clear(scopes: readonly DocumentRef[]): Promise<void> {
      await run(
        'clear',
        `with ${[...deletions(''), 'no_heads as (delete from scope_heads)', 'no_switches as (delete from tenant_switches)', RUNNING].join()} ${FREED}`,
      )
      const insert =
        'insert into scope_heads (tenant_id, scope_id) select * from unnest($1::uuid[], $2::text[])'
      const [tenants, names] = [scopes.map(({ tenant }) => tenant), scopes.map(({ scope }) => scope)]
      await run('prepare', insert, tenants, names)
    },
    /** The clock of Postgres cannot be set, so everything that it is compared with is moved into the past. */
    async passTime(seconds: number): Promise<void> {
      const gone = 'make_interval(secs => $1)'
      const aged = `update work set touched_at = touched_at - ${gone}, not_before = not_before - ${gone}`
      const ramp = `update service_switch set running_since = running_since - ${gone}`
      const leases = `update dispatch_leases set expires_at = expires_at - ${gone}`
      await run('pass-time', `with aged as (${aged}), ramp as (${ramp}) ${leases}`, seconds)
    },
    async freeShard(shard: number): Promise<void> {
      await run('free-shard', `${FREED} where shard = $1`, shard)
    },
    async raiseEpoch({ tenant, scope }: DocumentRef): Promise<void> {
      await run('raise', `update scope_heads set epoch = epoch + 1 ${OF_SCOPE}`, tenant, scope)
    },
    /** The reset as designed: epoch + 1, all of the scope gone, and the log goes on. The product has no statement for it yet. */
    async reset({ tenant, scope }: DocumentRef): Promise<void> {
      const raise = `update scope_heads set epoch = epoch + 1, head = head + 1 ${OF_SCOPE} returning *`
      const statement = `with ${deletions(OF_SCOPE).join()}, raised as (${raise})
        insert into scope_log (tenant_id, scope_id, seq, epoch, kind)
        select tenant_id, scope_id, head, epoch, 'scope.reset' from raised`
      await run('reset', statement, tenant, scope)
    },
    async selectEpoch({ tenant, scope }: DocumentRef): Promise<number> {
      const statement = `select epoch from scope_heads ${OF_SCOPE}`
      const [row] = await run<{ readonly epoch: number }>('epoch', statement, tenant, scope)
      return row?.epoch ?? 0
    },
    /** A ticket is shown by the number that the model gave it. */
    async picture(tickets: ReadonlyMap<string, string>): Promise<readonly string[]> {
      const rows = await run<{ readonly line: string; readonly ticket: string | null }>('picture', PICTURE)
      const numberOf = (ticket: string) => tickets.get(ticket)?.split(' ').at(-1) ?? ticket
      return rows.map(({ line, ticket }) => line + (ticket === null ? '' : numberOf(ticket))).toSorted()
    },
  }
}
