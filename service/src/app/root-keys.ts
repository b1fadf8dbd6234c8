/** What the operator does with the keys of the admin and internals tiers. Only the command line comes here. */
import { Fault } from '../domain/fault.ts'
import { createKey, digestKey } from '../platform/api-key.ts'
import type { KeyTier } from '../platform/api-key.ts'
import * as store from '../store/key-registry.ts'
import type { KeyRow } from '../store/keys.ts'
import type { IssuedKey, KeysDeps, NewKeyRequest, RotatedKey } from './keys.ts'

export type RootTier = Exclude<KeyTier, 'tenant'>

export async function createRootKey(
  { pools, pepper }: KeysDeps,
  operator: string,
  tier: RootTier,
  { name, expiresAt }: NewKeyRequest,
): Promise<IssuedKey> {
  const key = createKey(tier)
  const digest = digestKey(pepper, key.key)
  await store.insertRootKey(pools.registry, tier, {
    keyId: key.keyId,
    digest,
    name,
    createdBy: operator,
    expiresAt,
  })
  return { key, expiresAt }
}

export async function listRootKeys({ pools }: KeysDeps): Promise<KeyRow[]> {
  return store.selectRootKeys(pools.registry)
}

/** Not one transaction: should the second step fail, there is a key too many and none too few. */
export async function rotateRootKey(
  deps: KeysDeps,
  operator: string,
  keyId: string,
  what: { readonly overlapSeconds: number; readonly expiresAt: Date | null },
): Promise<RotatedKey> {
  const old = (await store.selectRootKeys(deps.pools.registry)).find((each) => each.keyId === keyId)
  if (!old || old.tier === 'tenant') throw new Fault('key_not_found')
  if (old.revokedAt || old.expired) throw new Fault('key_not_live')
  const issued = await createRootKey(deps, operator, old.tier, { name: old.name, expiresAt: what.expiresAt })
  const expired = await store.expireRootKey(deps.pools.registry, keyId, what.overlapSeconds)
  if (!expired?.expiresAt) throw new Fault('key_not_live')
  deps.announceKeyChange(keyId)
  return { ...issued, replaces: keyId, replacedExpiresAt: expired.expiresAt }
}

export async function revokeRootKey(deps: KeysDeps, keyId: string): Promise<KeyRow> {
  const revoked = await store.revokeRootKey(deps.pools.registry, keyId)
  if (!revoked) throw new Fault('key_not_found')
  deps.announceKeyChange(keyId)
  return revoked
}
