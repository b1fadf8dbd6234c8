/** The statements that store responses by idempotency key, beside the records of accepted documents. */
import type { TenantTransaction } from './transaction.ts'

export interface KeyRecord {
  readonly scopeId: string
  /** The keyed hash of the first request with this key. */
  readonly request: Buffer
  /** Null for an accepted document, because its response follows from its id. */
  readonly sealedAnswer: Buffer | null
}

export async function selectKeyRecord(
  { connection, tenantId }: TenantTransaction,
  keyHash: Buffer,
): Promise<KeyRecord | undefined> {
  const { rows } = await connection.query<{
    scope_id: string
    fingerprint: Buffer
    sealed_answer: Buffer | null
  }>(
    `select scope_id, fingerprint, sealed_answer from idempotency_keys
      where tenant_id = $1 and key_hash = $2 and created_at > now() - interval '30 days'`,
    [tenantId, keyHash],
  )
  const [row] = rows
  return row && { scopeId: row.scope_id, request: row.fingerprint, sealedAnswer: row.sealed_answer }
}

/** Returns false if another request has the key. Waits for a running transaction that is about to insert it. */
export async function insertKeyRecord(
  { connection, tenantId }: TenantTransaction,
  keyHash: Buffer,
  { scopeId, request, sealedAnswer }: KeyRecord,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `insert into idempotency_keys as k (tenant_id, key_hash, fingerprint, scope_id, sealed_answer)
     values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, key_hash) do update
        set fingerprint = excluded.fingerprint, scope_id = excluded.scope_id, document_id = null, seq = null,
            sealed_answer = excluded.sealed_answer, created_at = now()
      where k.created_at <= now() - interval '30 days'`,
    [tenantId, keyHash, request, scopeId, sealedAnswer],
  )
  return rowCount === 1
}
