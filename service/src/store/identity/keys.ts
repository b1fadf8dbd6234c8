/** The statements of the keys of one tenant. */
import type { KeyTier } from '../../platform/api-key.ts'
import type { TenantTransaction } from '../transaction.ts'

export interface KeyRow {
  readonly keyId: string
  readonly tier: KeyTier
  readonly name: string | null
  readonly createdAt: Date
  readonly createdBy: string
  readonly expiresAt: Date | null
  readonly expired: boolean
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
  readonly position: KeyPosition
}

/** The position after a page of keys. Times are in microseconds, because a Date would truncate them and skip rows. */
export interface KeyPosition {
  readonly createdAtMicros: string
  readonly keyId: string
}

export interface NewKeyRow {
  readonly keyId: string
  readonly digest: Buffer
  readonly pepperId: string
  readonly name: string | null
  readonly createdBy: string
  readonly expiresAt: Date | null
}

export interface KeyColumns {
  readonly key_id: string
  readonly tier: KeyTier
  readonly name: string | null
  readonly created_at: Date
  readonly created_by: string
  readonly expires_at: Date | null
  readonly expired: boolean
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
  readonly position: string
}

/** The digest is deliberately absent: only authentication reads it. */
export const KEY_COLUMNS = `key_id, tier, name, created_at, created_by, expires_at,
  coalesce(expires_at <= now(), false) as expired, revoked_at, last_used_at, (extract(epoch from created_at) * 1000000)::bigint::text as position`

export async function insertTenantKey(
  { connection, tenantId }: TenantTransaction,
  key: NewKeyRow,
): Promise<void> {
  await connection.query(
    `insert into keys (key_id, tier, tenant_id, name, digest, pepper_id, created_by, expires_at)
     values ($1, 'tenant', $2, $3, $4, $5, $6, $7)`,
    [key.keyId, tenantId, key.name, key.digest, key.pepperId, key.createdBy, key.expiresAt],
  )
}

export async function selectTenantKeys(
  { connection, tenantId }: TenantTransaction,
  after: KeyPosition | undefined,
  limit: number,
): Promise<KeyRow[]> {
  const { rows } = await connection.query<KeyColumns>(
    `select ${KEY_COLUMNS} from keys
      where tenant_id = $1 and ($2::bigint is null or (created_at, key_id) > (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3))
      order by created_at, key_id limit $4`,
    [tenantId, after?.createdAtMicros ?? null, after?.keyId ?? null, limit],
  )
  return rows.map(toKey)
}

export async function selectTenantKey(
  { connection, tenantId }: TenantTransaction,
  keyId: string,
): Promise<KeyRow | undefined> {
  const { rows } = await connection.query<KeyColumns>(
    `select ${KEY_COLUMNS} from keys where tenant_id = $1 and key_id = $2`,
    [tenantId, keyId],
  )
  return rows[0] && toKey(rows[0])
}

export async function countLiveKeys({ connection, tenantId }: TenantTransaction): Promise<number> {
  const { rows } = await connection.query<{ live: number }>(
    `select count(*)::int as live from keys
      where tenant_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [tenantId],
  )
  return rows[0]?.live ?? 0
}

/** Sets the expiry of a key unless it is earlier already, so that a second rotation cannot extend the life of the key. */
export async function expireTenantKey(
  { connection, tenantId }: TenantTransaction,
  keyId: string,
  overlapSeconds: number,
): Promise<Date | undefined> {
  const { rows } = await connection.query<{ expires_at: Date }>(
    `update keys set expires_at = least(expires_at, now() + make_interval(secs => $3))
      where tenant_id = $1 and key_id = $2 and revoked_at is null and (expires_at is null or expires_at > now())
      returning expires_at`,
    [tenantId, keyId, overlapSeconds],
  )
  return rows[0]?.expires_at
}

/** Revokes a key. Repeating it keeps the first time of revocation. */
export async function revokeTenantKey(
  { connection, tenantId }: TenantTransaction,
  keyId: string,
): Promise<KeyRow | undefined> {
  const { rows } = await connection.query<KeyColumns>(
    `update keys set revoked_at = coalesce(revoked_at, now())
      where tenant_id = $1 and key_id = $2 returning ${KEY_COLUMNS}`,
    [tenantId, keyId],
  )
  return rows[0] && toKey(rows[0])
}

export function toKey(row: KeyColumns): KeyRow {
  return {
    keyId: row.key_id,
    tier: row.tier,
    name: row.name,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    expired: row.expired,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    position: { createdAtMicros: row.position, keyId: row.key_id },
  }
}
