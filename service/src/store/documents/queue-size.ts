/**
 * Counts the documents that wait in the backlog, up to a maximum that the caller gives, so the index of the backlog is read no
 * further than needed.
 */
import type { Pool } from '../pools.ts'
import type { TenantTransaction } from '../transaction.ts'

export async function countQueued(
  { connection, tenantId }: TenantTransaction,
  bound: number,
): Promise<number> {
  const { rows } = await connection.query<{ queued: number }>({
    name: 'count-queued',
    text: `select count(*)::int as queued from (
             select from work where shard = shard_of($1) and tenant_id = $1 and state = 'queued' limit $2) waiting`,
    values: [tenantId, bound],
  })
  return rows[0]?.queued ?? 0
}

/** Counts the queues of all tenants, as the kernel role. */
export async function countAllQueued(kernel: Pool, bound: number): Promise<number> {
  const { rows } = await kernel.query<{ queued: number }>({
    name: 'count-all-queued',
    text: `select count(*)::int as queued from (select from work where state = 'queued' limit $1) waiting`,
    values: [bound],
  })
  return rows[0]?.queued ?? 0
}
