/**
 * The statements of keys that run without a tenant: looking up the key of a request before its tenant is known, and managing the
 * keys of the admin and internals tiers, which belong to no tenant.
 */
import type { KeyTier } from '../../platform/api-key.ts'
import { KEY_COLUMNS, toKey } from './keys.ts'
import type { KeyColumns, KeyRow, NewKeyRow } from './keys.ts'
import type { Pool } from '../pools.ts'

export interface StoredCredential {
  readonly keyId: string
  readonly tier: KeyTier
  readonly tenantId: string | null
  readonly digest: Buffer
  /** The pepper of the digest; null if it was not recorded. */
  readonly pepperId: string | null
  readonly revoked: boolean
  /** The remaining lifetime by the clock of Postgres, the only clock that decides; null if the key never expires. */
  readonly expiresInMs: number | null
}

const CREDENTIAL_COLUMNS = `
  key_id as "keyId", tier, tenant_id as "tenantId", digest, pepper_id as "pepperId", revoked_at is not null as revoked,
  (extract(epoch from expires_at - now()) * 1000)::float8 as "expiresInMs"`

export async function selectCredential(registry: Pool, keyId: string): Promise<StoredCredential | undefined> {
  const { rows } = await registry.query<StoredCredential>({
    name: 'select-credential',
    text: `select ${CREDENTIAL_COLUMNS} from keys where key_id = $1`,
    values: [keyId],
  })
  return rows[0]
}

/** Selects the newest live keys of the admin and internals tiers. */
export async function selectLiveRootKeys(registry: Pool): Promise<StoredCredential[]> {
  const { rows } = await registry.query<StoredCredential>(
    `select ${CREDENTIAL_COLUMNS} from keys
      where tenant_id is null and revoked_at is null and (expires_at is null or expires_at > now())
      order by created_at desc limit 1000`,
  )
  return rows
}

/** Returns whether any live key opens /admin. */
export async function rootKeyExists(registry: Pool): Promise<boolean> {
  const { rows } = await registry.query<{ found: boolean }>(
    `select exists (select from keys where tier in ('admin', 'internals') and revoked_at is null
        and (expires_at is null or expires_at > now())) as found`,
  )
  return rows[0]?.found === true
}

export async function insertRootKey(
  registry: Pick<Pool, 'query'>,
  tier: KeyTier,
  key: NewKeyRow,
): Promise<void> {
  await registry.query(
    `insert into keys (key_id, tier, name, digest, pepper_id, created_by, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [key.keyId, tier, key.name, key.digest, key.pepperId, key.createdBy, key.expiresAt],
  )
}

export async function selectRootKeys(registry: Pick<Pool, 'query'>): Promise<KeyRow[]> {
  const { rows } = await registry.query<KeyColumns>(
    `select ${KEY_COLUMNS} from keys where tenant_id is null order by created_at, key_id`,
  )
  return rows.map(toKey)
}

export async function expireRootKey(
  registry: Pick<Pool, 'query'>,
  keyId: string,
  overlapSeconds: number,
): Promise<KeyRow | undefined> {
  const { rows } = await registry.query<KeyColumns>(
    `update keys set expires_at = least(expires_at, now() + make_interval(secs => $2))
      where tenant_id is null and key_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
      returning ${KEY_COLUMNS}`,
    [keyId, overlapSeconds],
  )
  return rows[0] && toKey(rows[0])
}

export async function revokeRootKey(
  registry: Pick<Pool, 'query'>,
  keyId: string,
): Promise<KeyRow | undefined> {
  const { rows } = await registry.query<KeyColumns>(
    `update keys set revoked_at = coalesce(revoked_at, now())
      where tenant_id is null and key_id = $1 returning ${KEY_COLUMNS}`,
    [keyId],
  )
  return rows[0] && toKey(rows[0])
}

export async function markKeysUsed(registry: Pool, keyIds: readonly string[]): Promise<void> {
  await registry.query('update keys set last_used_at = now() where key_id = any($1)', [keyIds])
}

export interface NewDigest {
  readonly keyId: string
  readonly digest: Buffer
  readonly pepperId: string
}

export async function updateDigests(registry: Pool, digests: readonly NewDigest[]): Promise<void> {
  await registry.query(
    `update keys k set digest = n.digest, pepper_id = n.pepper_id
       from unnest($1::text[], $2::bytea[], $3::text[]) n(key_id, digest, pepper_id)
      where k.key_id = n.key_id`,
    [
      digests.map(({ keyId }) => keyId),
      digests.map(({ digest }) => digest),
      digests.map(({ pepperId }) => pepperId),
    ],
  )
}

export interface PepperUse {
  /** Null for keys that were made before peppers had ids and were not used since. */
  readonly pepperId: string | null
  readonly liveKeys: number
  readonly example: string
}

/** Counts the live keys that need each pepper. */
export async function countKeysByPepper(registry: Pool): Promise<PepperUse[]> {
  const { rows } = await registry.query<PepperUse>(
    `select pepper_id as "pepperId", count(*)::int as "liveKeys", min(key_id) as example from keys
      where revoked_at is null and (expires_at is null or expires_at > now())
      group by pepper_id order by pepper_id`,
  )
  return rows
}
