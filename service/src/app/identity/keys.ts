/** Lets an administrator manage the keys of a tenant. */
import type { Caller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import { MAX_LIVE_KEYS } from '../../domain/key.ts'
import { createKey, digestKey, pepperId } from '../../platform/api-key.ts'
import type { NewKey } from '../../platform/api-key.ts'
import * as store from '../../store/identity/keys.ts'
import type { KeyRow } from '../../store/identity/keys.ts'
import type { Pools } from '../../store/pools.ts'
import { lockTenant, selectTenant } from '../../store/identity/tenants.ts'
import { inTenant } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import { issuedEvent, revokedEvent, rotatedEvent } from './key-audit.ts'
import { decodeCursor, toPage } from '../pages.ts'
import type { Page, PageRequest } from '../pages.ts'
import { MICROSECONDS, KEY_ID } from '../patterns.ts'

export type { KeyRow }

export interface KeysDeps {
  readonly pools: Pools
  readonly pepper: Buffer
  readonly auditor: Auditor
  /** Announces a changed key, so that every process drops it from its cache. */
  readonly announceKeyChange: (keyId: string) => void
}

export interface NewKeyRequest {
  readonly name: string | null
  readonly expiresAt: Date | null
}

export interface IssuedKey {
  readonly key: NewKey
  readonly expiresAt: Date | null
}

export interface RotatedKey extends IssuedKey {
  readonly replaces: string
  readonly replacedExpiresAt: Date
}

export async function issueTenantKey(
  deps: KeysDeps,
  who: Caller,
  tenantId: string,
  what: NewKeyRequest,
): Promise<IssuedKey> {
  return inTenant(deps.pools.tenant, tenantId, async (transaction) => {
    await requireRoomForKey(transaction)
    const issued = await addKey(deps, transaction, who, what)
    await recordAudit(transaction.connection, deps.auditor, [
      issuedEvent(who, tenantId, 'tenant', issued.key.keyId, issued.expiresAt),
    ])
    return issued
  })
}

export async function listTenantKeys(
  { pools }: KeysDeps,
  tenantId: string,
  request: PageRequest,
): Promise<Page<KeyRow>> {
  const position = decodeCursor(request.cursor, [MICROSECONDS, KEY_ID])
  const after = position && { createdAtMicros: position[0], keyId: position[1] }
  const rows = await inTenant(pools.tenant, tenantId, async (transaction) => {
    if (!(await selectTenant(transaction))) throw new Fault('tenant_not_found')
    return store.selectTenantKeys(transaction, after, request.limit + 1)
  })
  return toPage(
    rows,
    request.limit,
    (row) => row,
    (row) => [row.position.createdAtMicros, row.position.keyId],
  )
}

export async function getTenantKey({ pools }: KeysDeps, tenantId: string, keyId: string): Promise<KeyRow> {
  const key = await inTenant(pools.tenant, tenantId, (transaction) =>
    store.selectTenantKey(transaction, keyId),
  )
  if (!key) throw new Fault('key_not_found')
  return key
}

/** The replacement of a key with an expiry gets the same lifetime. */
export function keepSpan({ createdAt, expiresAt }: Pick<KeyRow, 'createdAt' | 'expiresAt'>): Date | null {
  return expiresAt && new Date(Date.now() + expiresAt.getTime() - createdAt.getTime())
}

/** Rotates a key. The old and the new key are both valid until the overlap ends. By default the new key has the lifetime of the old one. */
export async function rotateTenantKey(
  deps: KeysDeps,
  who: Caller,
  target: { readonly tenantId: string; readonly keyId: string },
  what: { readonly overlapSeconds: number; readonly expiresAt: Date | null },
): Promise<RotatedKey> {
  const rotated = await inTenant(deps.pools.tenant, target.tenantId, async (transaction) => {
    const old = await store.selectTenantKey(transaction, target.keyId)
    if (!old) throw new Fault('key_not_found')
    await requireRoomForKey(transaction)
    const replacedExpiresAt = await store.expireTenantKey(transaction, target.keyId, what.overlapSeconds)
    if (!replacedExpiresAt) throw new Fault('key_not_live')
    const issued = await addKey(deps, transaction, who, {
      name: old.name,
      expiresAt: what.expiresAt ?? keepSpan(old),
    })
    const rotation = { ...issued, replaces: target.keyId, replacedExpiresAt }
    await recordAudit(transaction.connection, deps.auditor, [
      rotatedEvent(who, target.tenantId, 'tenant', rotation),
    ])
    return rotation
  })
  deps.announceKeyChange(target.keyId)
  return rotated
}

export async function revokeTenantKey(
  deps: KeysDeps,
  who: Caller,
  tenantId: string,
  keyId: string,
): Promise<KeyRow> {
  const revoked = await inTenant(deps.pools.tenant, tenantId, async (transaction) => {
    const key = await store.revokeTenantKey(transaction, keyId)
    if (!key) throw new Fault('key_not_found')
    await recordAudit(transaction.connection, deps.auditor, [revokedEvent(who, tenantId, key)])
    return key
  })
  deps.announceKeyChange(keyId)
  return revoked
}

async function requireRoomForKey(transaction: TenantTransaction): Promise<void> {
  if (!(await lockTenant(transaction))) throw new Fault('tenant_not_found')
  if ((await store.countLiveKeys(transaction)) >= MAX_LIVE_KEYS) throw new Fault('too_many_keys')
}

async function addKey(
  { pepper }: KeysDeps,
  transaction: TenantTransaction,
  who: Caller,
  { name, expiresAt }: NewKeyRequest,
): Promise<IssuedKey> {
  const key = createKey('tenant')
  const digest = digestKey(pepper, key.key)
  await store.insertTenantKey(transaction, {
    keyId: key.keyId,
    digest,
    pepperId: pepperId(pepper),
    name,
    createdBy: who.actor,
    expiresAt,
  })
  return { key, expiresAt }
}
