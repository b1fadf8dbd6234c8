/** Statements on the wrapped data keys of scopes. */
import type { WrappedKey } from '../platform/sealing.ts'
import type { TenantTransaction } from './transaction.ts'

export async function insertScopeKey(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
  epoch: number,
  key: WrappedKey,
): Promise<void> {
  await connection.query(
    `insert into scope_keys (tenant_id, scope_id, epoch, master_key_id, wrapped_key) values ($1, $2, $3, $4, $5)`,
    [tenantId, scopeId, epoch, key.masterKeyId, key.wrapped],
  )
}

/** The key of the scope's present generation. */
export async function selectScopeKey(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<(WrappedKey & { readonly epoch: number }) | undefined> {
  const { rows } = await connection.query<{ epoch: number; master_key_id: string; wrapped_key: Buffer }>(
    `select k.epoch, k.master_key_id, k.wrapped_key
       from scopes s join scope_keys k on k.tenant_id = $1 and k.scope_id = s.scope_id and k.epoch = s.epoch
      where s.tenant_id = $1 and s.scope_id = $2`,
    [tenantId, scopeId],
  )
  const row = rows[0]
  return row && { epoch: row.epoch, masterKeyId: row.master_key_id, wrapped: row.wrapped_key }
}
