/** The statements of the wrapped data keys of scopes. */
import type { WrappedKey } from '../../platform/sealing.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface StoredScopeKey extends WrappedKey {
  /** Null if the key of the hashes is derived from the master key that wraps the data key. */
  readonly sealedPrintKey: Buffer | null
}

interface KeyColumns {
  readonly epoch: number
  readonly master_key_id: string
  readonly wrapped_key: Buffer
  readonly sealed_print_key: Buffer | null
}

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

/** Selects the key of the current generation of the scope. */
export async function selectScopeKey(
  { connection, tenantId }: TenantTransaction,
  scopeId: string,
): Promise<(StoredScopeKey & { readonly epoch: number }) | undefined> {
  const { rows } = await connection.query<KeyColumns>(
    `select k.epoch, k.master_key_id, k.wrapped_key, k.sealed_print_key
       from scopes s join scope_keys k on k.tenant_id = $1 and k.scope_id = s.scope_id and k.epoch = s.epoch
      where s.tenant_id = $1 and s.scope_id = $2`,
    [tenantId, scopeId],
  )
  return rows[0] && toKey(rows[0])
}

export interface ScopeKeyRow extends StoredScopeKey {
  readonly scopeId: string
  readonly epoch: number
}

/** Selects some keys that this master key wraps, and locks them until the commit. */
export async function lockScopeKeysUnder(
  { connection, tenantId }: TenantTransaction,
  masterKeyId: string,
  limit: number,
): Promise<ScopeKeyRow[]> {
  const { rows } = await connection.query<KeyColumns & { readonly scope_id: string }>(
    `select scope_id, epoch, master_key_id, wrapped_key, sealed_print_key from scope_keys
      where tenant_id = $1 and master_key_id = $2 order by scope_id, epoch limit $3 for update`,
    [tenantId, masterKeyId, limit],
  )
  return rows.map((row) => ({ ...toKey(row), scopeId: row.scope_id }))
}

export async function updateScopeKeys(
  { connection, tenantId }: TenantTransaction,
  keys: readonly ScopeKeyRow[],
): Promise<void> {
  await connection.query(
    `update scope_keys k
        set master_key_id = n.master_key_id, wrapped_key = n.wrapped_key, sealed_print_key = n.sealed_print_key
       from unnest($2::text[], $3::integer[], $4::text[], $5::bytea[], $6::bytea[])
            n(scope_id, epoch, master_key_id, wrapped_key, sealed_print_key)
      where k.tenant_id = $1 and k.scope_id = n.scope_id and k.epoch = n.epoch`,
    [
      tenantId,
      keys.map(({ scopeId }) => scopeId),
      keys.map(({ epoch }) => epoch),
      keys.map(({ masterKeyId }) => masterKeyId),
      keys.map(({ wrapped }) => wrapped),
      keys.map(({ sealedPrintKey }) => sealedPrintKey),
    ],
  )
}

export interface MasterKeyUse {
  readonly masterKeyId: string
  readonly dataKeys: number
}

/** Counts the data keys of the tenant by the master key that wraps them. */
export async function countDataKeys({ connection, tenantId }: TenantTransaction): Promise<MasterKeyUse[]> {
  const { rows } = await connection.query<MasterKeyUse>(
    `select master_key_id as "masterKeyId", count(*)::int as "dataKeys" from scope_keys
      where tenant_id = $1 group by master_key_id`,
    [tenantId],
  )
  return rows
}

function toKey(row: KeyColumns): StoredScopeKey & { readonly epoch: number } {
  return {
    epoch: row.epoch,
    masterKeyId: row.master_key_id,
    wrapped: row.wrapped_key,
    sealedPrintKey: row.sealed_print_key,
  }
}
