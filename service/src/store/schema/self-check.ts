/**
 * The start-up check. A process refuses to serve if its role could bypass row-level security, if a table with rows of tenants is not
 * protected as designed, or if the schema is not the one that this code needs.
 */
import type { Pool } from '../pools.ts'
import { selectInstalled } from './functions.ts'
import type { FunctionFile, InstalledFunction } from './functions.ts'
import { selectApplied } from './migrations.ts'
import type { AppliedMigration, Migration } from './migrations.ts'
import { TENANT_POLICY, WIDE_POLICIES } from './policies.ts'

/** The files that define the schema of a release. */
export interface ReleaseSchema {
  readonly migrations: readonly Migration[]
  readonly functions: readonly FunctionFile[]
}

/** Returns every reason not to serve, as sentences. Empty if serving is safe. */
export async function findUnsafeSettings(
  pool: Pool,
  { migrations, functions }: ReleaseSchema,
): Promise<string[]> {
  const mismatch = findSchemaMismatch(await selectApplied(pool), migrations)
  // Without the schema, or with a role that may do anything, further findings would only hide the cause.
  if (mismatch.length > 0) return mismatch
  const roles = await findUnsafeRoles(pool)
  if (roles.length > 0) return roles
  const missing = findMissingFunctions(await selectInstalled(pool), functions)
  if (missing.length > 0) return missing
  const findings = await Promise.all([
    findUnprotectedTables(pool),
    findUnknownPolicies(pool),
    findGrantedPartitions(pool),
    findPrivilegedCode(pool),
  ])
  return findings.flat()
}

export function findSchemaMismatch(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): string[] {
  const missing = migrations.filter(({ version }) => !applied.some((each) => each.version === version))
  const unknown = applied.filter(({ version }) => !migrations.some((each) => each.version === version))
  return [
    ...missing.map(({ version, name }) => `migration ${version} (${name}) has not run; run concord migrate`),
    ...unknown
      .filter(({ breaking }) => breaking)
      .map(
        ({ version, name }) =>
          `the schema has migration ${version} (${name}), which this release cannot use; deploy the newer release`,
      ),
  ]
}

/** Finds missing functions. The version of another release is accepted, because during a rolling upgrade both releases use it. */
function findMissingFunctions(
  installed: readonly InstalledFunction[],
  functions: readonly FunctionFile[],
): string[] {
  const names = new Set(installed.map(({ name }) => name))
  const missing = functions.filter(({ name }) => !names.has(name)).map(({ name }) => name)
  if (missing.length === 0) return []
  const others = missing.length === 1 ? '' : ` and ${missing.length - 1} more`
  return [`function ${missing[0]}${others} has not been installed; run concord migrate`]
}

/** Finds roles that bypass row-level security or own a table, directly or through a role that they may assume. */
async function findUnsafeRoles(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ rolname: string; why: string }>(
    `select r.rolname, case when r.rolsuper then 'is a superuser'
                            when r.rolbypassrls then 'may bypass row-level security'
                            else 'owns tables' end as why
       from pg_roles r
      where pg_has_role(session_user, r.oid, 'member')
        and (r.rolsuper or r.rolbypassrls or exists (
              select from pg_class c where c.relowner = r.oid and c.relnamespace = 'public'::regnamespace))`,
  )
  return rows.map(
    ({ rolname, why }) =>
      `role ${rolname} ${why}; connect as concord_api or concord_worker, made by service/roles.sql`,
  )
}

/** Finds unprotected tables in every schema, because a table with a tenant outside `public` would otherwise go unnoticed. */
async function findUnprotectedTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.oid::regclass::text as name
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        and c.relkind in ('r', 'p', 'f') and not c.relispartition and not a.attisdropped
        and not (c.relrowsecurity and c.relforcerowsecurity and exists (
              select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant_rows'))
      order by 1`,
  )
  return rows.map(({ name }) => `table ${name} is not protected; call protect_tenant_table('${name}')`)
}

/**
 * Finds policies that this release does not know. Permissive policies are combined with OR, so one that is too wide opens the table
 * however strict the others are. Restrictive policies only remove access.
 */
async function findUnknownPolicies(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{
    place: string
    roles: string
    qual: string | null
    check: string | null
  }>(
    `select tablename || '.' || policyname as place, array_to_string(roles, ',') as roles,
            regexp_replace(qual, '\\s+', ' ', 'g') as qual, regexp_replace(with_check, '\\s+', ' ', 'g') as check
       from pg_policies
      where permissive = 'PERMISSIVE' and schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  return rows
    .filter(({ place, roles, qual, check }) => {
      if (place.endsWith('.tenant_rows')) return qual !== TENANT_POLICY || check !== TENANT_POLICY
      return WIDE_POLICIES[place] !== roles
    })
    .map(
      ({ place }) => `policy ${place} is not one that this release knows, and may let every tenant through`,
    )
}

/** Finds partitions with grants. The policies of the parent table do not apply to a statement that names the partition itself. */
async function findGrantedPartitions(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relispartition and c.relkind in ('r', 'p', 'f')
        and (exists (select from aclexplode(c.relacl) g where g.grantee <> c.relowner)
          or exists (select from pg_attribute a, aclexplode(a.attacl) g
                      where a.attrelid = c.oid and g.grantee <> c.relowner))
      order by 1`,
  )
  return rows.map(({ name }) => `partition ${name} can be reached directly, past the policy of its parent`)
}

/** Finds functions and views that run with the rights of their owner, because they would bypass the caller's policies. */
async function findPrivilegedCode(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ what: string }>(
    `select 'function ' || p.proname as what from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prosecdef
     union all
     select 'view ' || c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')
        and not coalesce(c.reloptions @> '{security_invoker=true}', false)`,
  )
  return rows.map(({ what }) => `${what} runs with its owner's rights, past row-level security`)
}
