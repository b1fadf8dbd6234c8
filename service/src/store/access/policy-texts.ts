/** Statements on the policies that tenants write. The scope is `''` for those of the tenant itself. */
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
  /** How often anything of the tenant was changed. */
  readonly changes: number
  readonly tenant: string
  readonly scope: string
}

const newest = (scope: string) =>
  `(select text from policies where tenant_id = $1 and scope_id = ${scope} order by version desc limit 1)`

/** In one statement, so that text and number belong together. */
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

/** Locks out other changes of policies: whoever changes a policy of the tenant does so alone from here on, and everybody who asks afterwards learns of it. */
export async function notePolicyChange({ connection, tenantId }: TenantTransaction): Promise<void> {
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

/** Newest first. */
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

/** Needs the change to be noted. */
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
