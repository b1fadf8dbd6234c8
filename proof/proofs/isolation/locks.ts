/** The two locks on a tenant's rows, and how to open each: the policies in Postgres, and the filter of every statement. */
import { asSuperuser } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import type { Mutation } from '../../harness/mutation.ts'

/**
 * Every `tenant_id = $n` becomes true for any tenant; the parameter stays, so that the statement still fits its
 * values. Left alone is `= $n::uuid`, by which a gateway's tenant is found to exist: that question is nobody's.
 */
const STATEMENTS: Mutation = {
  name: 'no statement filters by tenant',
  files: 'service/src/store/**/*.ts',
  find: /(?:\b\w+\.)?\btenant_id = \$(\d+)(?!\d|::)/g,
  replace: '$$$1::uuid is not null',
}

/** The same in the functions; what they insert keeps the tenant that it is for. */
const FUNCTIONS: Mutation = {
  name: 'no function filters by tenant',
  files: 'service/sql/functions/*.sql',
  find: /(?:\b\w+\.)?\btenant_id = tenant\b/g,
  replace: 'tenant is not null',
}

/** For a copy with a database of its own: functions live there. */
export const WITHOUT_TENANT_FILTERS: readonly Mutation[] = [STATEMENTS, FUNCTIONS]

/** Row-level security off on every table; returns how many had it. Only after start-up: no process would start. */
export async function switchOffRowSecurity(services: Services, database: string): Promise<number> {
  return asSuperuser(
    services,
    async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'select oid::regclass::text as name from pg_class where relrowsecurity',
      )
      for (const { name } of rows) await client.query(`alter table ${name} disable row level security`)
      return rows.length
    },
    database,
  )
}

/** Rows of tenants' tables that a role sees outside any tenant: none while the policies hold. */
export async function rowsSeenWithoutTenant(
  services: Services,
  database: string,
  role: 'concord_api' | 'concord_worker',
): Promise<number> {
  return asSuperuser(
    services,
    async (client) => {
      await client.query(`set role ${role}`)
      const { rows: tables } = await client.query<{ name: string }>(
        `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
          where a.attname = 'tenant_id' and c.relkind in ('r', 'p') and not c.relispartition
            and has_any_column_privilege(c.oid, 'select')`,
      )
      const counts = tables.map(({ name }) => `(select count(*) from ${name})`)
      const { rows } = await client.query<{ seen: number }>(`select (${counts.join(' + ')})::int as seen`)
      return rows[0]?.seen ?? 0
    },
    database,
  )
}
