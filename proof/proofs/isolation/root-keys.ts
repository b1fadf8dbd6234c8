/** Keys of the admin and internals tiers, alive and dead, made as an operator makes them: on the command line. */
import type { Deployment } from '@concord/tools/launch'
import type { RootKeys } from './credentials.ts'
import { neverIssued } from './forged-keys.ts'

interface PrintedKey {
  readonly key_id: string
  readonly api_key: string
}

/** `few` leaves the dead ones to keys that never were: where statements are attacked, and not keys. */
export async function createRootKeys(deployment: Deployment, few: boolean): Promise<RootKeys> {
  const create = (tier: string) => deployment.concord<PrintedKey>('keys', 'create', '--tier', tier)
  const [admin, internals] = await Promise.all([create('admin'), create('internals')])
  const alive = { admin: admin.api_key, internals: internals.api_key }
  if (few) return { ...alive, expiredAdmin: neverIssued('a'), revokedAdmin: neverIssued('a') }
  const [expired, revoked] = await Promise.all([create('admin'), create('admin')])
  await Promise.all([
    // Rotated without an overlap: the old key expires in the same moment.
    deployment.concord('keys', 'rotate', expired.key_id, '--overlap', '0'),
    deployment.concord('keys', 'revoke', revoked.key_id),
  ])
  return { ...alive, expiredAdmin: expired.api_key, revokedAdmin: revoked.api_key }
}
