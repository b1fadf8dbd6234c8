/** The statements of the policies that tenants write. The scope is `''` for the policies of the tenant itself. */
import type { TenantTransaction } from '../transaction.ts'

export interface PolicyRow {
  readonly version: number
  readonly text: string
  readonly createdAt: Date
  readonly createdBy: string
}

export interface PolicyVersionRow {
  readonly version: number
  readonly empty: boolean
  readonly createdAt: Date
  readonly createdBy: string
}

export interface PoliciesInForce {
  /** The number of policy changes of the tenant so far. */
  readonly changes: number
  readonly tenant: string
  readonly scope: string
}

const newest = (scope: string) =>
  `(select text from policies where tenant_id = $1 and scope_id = ${scope} order by version desc limit 1)`

/** Selects texts and number of changes in one statement, so that they belong together. */
export async function selectPoliciesInForce(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<PoliciesInForce> {
  const { rows } = await connection.query<{
    changes: number | null
    tenant: string | null
    scope: string | null
  }>(
    `select (select changes from policy_heads where tenant_id = $1) as changes, ${newest(`''`)} as tenant,
            ${newest('$2')} as scope`,
    [tenantId, scopeId],
  )
  const [row] = rows
  return { changes: row?.changes ?? 0, tenant: row?.tenant ?? '', scope: row?.scope ?? '' }
}

export async function selectPolicyChanges({ connection, tenantId }: TenantTransaction): Promise<number> {
  const { rows } = await connection.query<{ changes: number }>(
    'select changes from policy_heads where tenant_id = $1',
    [tenantId],
  )
  return rows[0]?.changes ?? 0
}

/** Counts a policy change of the tenant. Its row lock serializes policy changes, and later readers see the new count. */
export async function recordPolicyChange({ connection, tenantId }: TenantTransaction): Promise<void> {
  await connection.query(
    `insert into policy_heads as h (tenant_id, changes) values ($1, 1)
     on conflict (tenant_id) do update set changes = h.changes + 1`,
    [tenantId],
  )
}

export async function selectPolicy(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<PolicyRow | undefined> {
  const { rows } = await connection.query<PolicyRow>(
    `select version, text, created_at as "createdAt", created_by as "createdBy" from policies
      where tenant_id = $1 and scope_id = $2 order by version desc limit 1`,
    [tenantId, scopeId],
  )
  return rows[0]
}

/** Selects versions, newest first. */
export async function selectPolicyVersions(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  limit: number,
): Promise<PolicyVersionRow[]> {
  const { rows } = await connection.query<PolicyVersionRow>(
    `select version, text = '' as empty, created_at as "createdAt", created_by as "createdBy" from policies
      where tenant_id = $1 and scope_id = $2 order by version desc limit $3`,
    [tenantId, scopeId, limit],
  )
  return rows
}

/** Inserts a policy. The caller must have recorded the change. */
export async function insertPolicy(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  policy: Omit<PolicyRow, 'createdAt'>,
): Promise<void> {
  await connection.query(
    'insert into policies (tenant_id, scope_id, version, text, created_by) values ($1, $2, $3, $4, $5)',
    [tenantId, scopeId, policy.version, policy.text, policy.createdBy],
  )
}
