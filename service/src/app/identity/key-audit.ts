/** Audit entries about keys, tenants and the tiers above them. */
import type { AuditActor, AuditEvent } from '../../domain/audit.ts'
import type { KeyTier } from '../../platform/api-key.ts'
import type { KeyRow } from '../../store/identity/keys.ts'

/** `tenantId` is null for a key of the admin or internals tier. */
export function issuedEvent(
  who: AuditActor,
  tenantId: string | null,
  tier: KeyTier,
  keyId: string,
  expiresAt: Date | null,
): AuditEvent {
  const details = { tier, expires_at: expiresAt?.toISOString() ?? null }
  return { action: 'key.issued', who, tenantId, subject: keyId, details }
}

export interface Rotation {
  readonly key: { readonly keyId: string }
  readonly expiresAt: Date | null
  readonly replaces: string
  readonly replacedExpiresAt: Date
}

export function rotatedEvent(
  who: AuditActor,
  tenantId: string | null,
  tier: KeyTier,
  { key, expiresAt, replaces, replacedExpiresAt }: Rotation,
): AuditEvent {
  const details = {
    tier,
    key_id: key.keyId,
    expires_at: expiresAt?.toISOString() ?? null,
    replaced_expires_at: replacedExpiresAt.toISOString(),
  }
  return { action: 'key.rotated', who, tenantId, subject: replaces, details }
}

/** If a key is revoked again, the entry contains the time of the first revocation. */
export function revokedEvent(
  who: AuditActor,
  tenantId: string | null,
  { keyId, tier, revokedAt }: KeyRow,
): AuditEvent {
  const details = { tier, revoked_at: revokedAt?.toISOString() ?? null }
  return { action: 'key.revoked', who, tenantId, subject: keyId, details }
}
