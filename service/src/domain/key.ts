/** Rules for API keys that need no clock and no database. */
import type { KeyTier } from '../platform/api-key.ts'

export type KeyStatus = 'live' | 'expired' | 'revoked'

/** The maximum number of live keys per tenant: enough for several applications and the overlap of a rotation each. */
export const MAX_LIVE_KEYS = 20

export function keyStatus(key: { readonly expired: boolean; readonly revokedAt: Date | null }): KeyStatus {
  if (key.revokedAt) return 'revoked'
  return key.expired ? 'expired' : 'live'
}

/** An internals key opens the admin tier too; no other key opens a tier that is not its own. */
export function opensTier(held: KeyTier, wanted: KeyTier): boolean {
  return held === wanted || (held === 'internals' && wanted === 'admin')
}
