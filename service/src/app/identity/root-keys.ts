/** Lets the operator manage the keys of the admin and internals tiers. Only the command line comes here. */
import type { Caller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import { createKey, digestKey, pepperId } from '../../platform/api-key.ts'
import type { KeyTier } from '../../platform/api-key.ts'
import * as store from '../../store/identity/key-registry.ts'
import type { KeyRow } from '../../store/identity/keys.ts'
import type { PoolConnection } from '../../store/pools.ts'
import { inService } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import { issuedEvent, revokedEvent, rotatedEvent } from './key-audit.ts'
import { keepSpan } from './keys.ts'
import type { IssuedKey, KeysDeps, NewKeyRequest, RotatedKey } from './keys.ts'

export type RootTier = Exclude<KeyTier, 'tenant'>

export async function createRootKey(
  deps: KeysDeps,
  operator: Caller,
  tier: RootTier,
  what: NewKeyRequest,
): Promise<IssuedKey> {
  return inService(deps.pools.registry, async (connection) => {
    const issued = await addRootKey(deps, connection, operator, tier, what)
    await recordAudit(connection, deps.auditor, [
      issuedEvent(operator, null, tier, issued.key.keyId, issued.expiresAt),
    ])
    return issued
  })
}

async function addRootKey(
  { pepper }: KeysDeps,
  connection: PoolConnection,
  operator: Caller,
  tier: RootTier,
  { name, expiresAt }: NewKeyRequest,
): Promise<IssuedKey> {
  const key = createKey(tier)
  const digest = digestKey(pepper, key.key)
  await store.insertRootKey(connection, tier, {
    keyId: key.keyId,
    digest,
    pepperId: pepperId(pepper),
    name,
    createdBy: operator.actor,
    expiresAt,
  })
  return { key, expiresAt }
}

export async function listRootKeys({ pools }: KeysDeps): Promise<KeyRow[]> {
  return store.selectRootKeys(pools.registry)
}

export async function rotateRootKey(
  deps: KeysDeps,
  operator: Caller,
  keyId: string,
  what: { readonly overlapSeconds: number; readonly expiresAt: Date | null },
): Promise<RotatedKey> {
  const rotated = await inService(deps.pools.registry, async (connection) => {
    const old = (await store.selectRootKeys(connection)).find((each) => each.keyId === keyId)
    if (!old || old.tier === 'tenant') throw new Fault('key_not_found')
    const expired = await store.expireRootKey(connection, keyId, what.overlapSeconds)
    if (!expired?.expiresAt) throw new Fault('key_not_live')
    const issued = await addRootKey(deps, connection, operator, old.tier, {
      name: old.name,
      expiresAt: what.expiresAt ?? keepSpan(old),
    })
    const rotation = { ...issued, replaces: keyId, replacedExpiresAt: expired.expiresAt }
    await recordAudit(connection, deps.auditor, [rotatedEvent(operator, null, old.tier, rotation)])
    return rotation
  })
  deps.announceKeyChange(keyId)
  return rotated
}

export async function revokeRootKey(deps: KeysDeps, operator: Caller, keyId: string): Promise<KeyRow> {
  const revoked = await inService(deps.pools.registry, async (connection) => {
    const key = await store.revokeRootKey(connection, keyId)
    if (!key) throw new Fault('key_not_found')
    await recordAudit(connection, deps.auditor, [revokedEvent(operator, null, key)])
    return key
  })
  deps.announceKeyChange(keyId)
  return revoked
}
