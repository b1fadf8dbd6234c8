/** Tenants and their keys. */
import type { Concord } from '@concord/client'

export async function createTenant(concord: Concord): Promise<void> {
  const { tenant_id, key_prefix } = await concord.createTenant({ name: 'Acme Capital' })
  console.log(tenant_id, key_prefix)
}

export async function listTenants(concord: Concord): Promise<void> {
  for await (const { tenant_id, name } of concord.listTenants.all()) console.log(tenant_id, name)
}

export async function getTenant(concord: Concord): Promise<void> {
  const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
  const { created_at } = await concord.getTenant({ tenantId: tenant_id })
  console.log(created_at)
}

export async function issueTenantKey(concord: Concord): Promise<void> {
  const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
  const { key_id, api_key } = await concord.issueTenantKey({ tenantId: tenant_id, name: 'nightly job' })
  console.log(key_id, api_key.length)
}

export async function listTenantKeys(concord: Concord): Promise<void> {
  const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
  for await (const key of concord.listTenantKeys.all({ tenantId: tenant_id })) console.log(key.key_prefix)
}

export async function getTenantKey(concord: Concord): Promise<void> {
  const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
  const { key_id } = await concord.issueTenantKey({ tenantId: tenant_id })
  const { status, last_used_at } = await concord.getTenantKey({ tenantId: tenant_id, keyId: key_id })
  console.log(status, last_used_at)
}

export async function rotateTenantKey(concord: Concord): Promise<void> {
  const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
  const { key_id } = await concord.issueTenantKey({ tenantId: tenant_id })
  const { replaced_expires_at } = await concord.rotateTenantKey({
    tenantId: tenant_id,
    keyId: key_id,
    overlap_seconds: 3600,
  })
  console.log(`the old key works until ${replaced_expires_at}`)
}

export async function revokeTenantKey(concord: Concord): Promise<void> {
  const { tenant_id } = await concord.createTenant({ name: 'Acme Capital' })
  const { key_id } = await concord.issueTenantKey({ tenantId: tenant_id })
  const { revoked_at } = await concord.revokeTenantKey({ tenantId: tenant_id, keyId: key_id })
  console.log(revoked_at)
}
