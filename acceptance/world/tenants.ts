/** Tenants, keys and scopes for a spec to work with, made over the same HTTP that everyone uses. */
import { randomUUID } from 'node:crypto'
import { waitUntil } from '@concord/tools/launch'
import { exchange } from '../http/exchange.ts'
import { theTarget } from '../target.ts'
import { keyIdOf } from './keys.ts'
import { make } from './making.ts'
import type { Made } from './making.ts'

export interface Tenant {
  readonly tenantId: string
  readonly key: string
  readonly keyId: string
}

export function bearer(key: string): { readonly authorization: string } {
  return { authorization: `Bearer ${key}` }
}

export function asAdmin(): { readonly authorization: string } {
  return bearer(theTarget().adminKey)
}

/** The credentials of the routes that act on a tenant's data in the name of an administrator. */
export function asAdminOf({ key }: Pick<Tenant, 'key'>) {
  return { ...asAdmin(), 'x-tenant-api-key': key }
}

export async function createTenant(name = `acceptance ${randomUUID()}`): Promise<Tenant> {
  const made = await make('createTenant', { headers: asAdmin(), body: { name } })
  return { tenantId: made.tenant_id, key: made.api_key, keyId: keyIdOf(made.api_key) }
}

/** A tenant for something it can stand only so often: the same one a few times, then another. */
export function createTenantPool(uses: number): () => Promise<Tenant> {
  let left = 0
  let current: Promise<Tenant> | undefined
  return async () => {
    if (left === 0) {
      left = uses
      current = undefined
    }
    left -= 1
    return (current ??= createTenant())
  }
}

export async function issueKey({ tenantId }: Tenant, body: object = {}): Promise<Made<'issueTenantKey'>> {
  return make('issueTenantKey', { headers: asAdmin(), params: { tenantId }, body })
}

export async function revokeKey({ tenantId }: Tenant, keyId: string): Promise<Made<'revokeTenantKey'>> {
  return make('revokeTenantKey', { headers: asAdmin(), params: { tenantId, keyId } })
}

export async function createScope(tenant: Tenant, scopeId = newScopeId(), displayName?: string) {
  const body = { scope_id: scopeId, ...(displayName !== undefined && { display_name: displayName }) }
  return make('createScope', { headers: asAdminOf(tenant), body })
}

export function newScopeId(): string {
  return `scope-${randomUUID()}`
}

/** A key of the tenant that was revoked, and is known to be refused everywhere. */
export async function revokedKeyOf(tenant: Tenant): Promise<string> {
  const { api_key: key, key_id: keyId } = await issueKey(tenant)
  await revokeKey(tenant, keyId)
  await untilRefused(key)
  return key
}

/** A key of the tenant whose time is over. */
export async function expiredKeyOf(tenant: Tenant): Promise<string> {
  const { api_key: key, key_id: keyId } = await issueKey(tenant)
  await expireKey(tenant, keyId)
  await untilRefused(key)
  return key
}

/** Replaced without any overlap: from that moment on the key has expired. */
export async function expireKey({ tenantId }: Tenant, keyId: string): Promise<Made<'rotateTenantKey'>> {
  const body = { overlap_seconds: 0 }
  return make('rotateTenantKey', { headers: asAdmin(), params: { tenantId, keyId }, body })
}

/** Whether the process at this address takes the key for that of a tenant. */
export async function isAccepted(url: string, key: string): Promise<boolean> {
  const { status } = await exchange(url, { method: 'GET', path: '/api/scopes', headers: bearer(key) })
  if (status !== 200 && status !== 401) throw new Error(`GET /api/scopes answered ${status}.`)
  return status === 200
}

/** The promise of the contract: refused by every process within one second. */
export async function untilRefused(key: string): Promise<void> {
  await Promise.all(
    theTarget().urls.map((url) =>
      waitUntil(async () => !(await isAccepted(url, key)), {
        what: `${url} refusing a dead key`,
        withinMs: 1_000,
        everyMs: 20,
      }),
    ),
  )
}
