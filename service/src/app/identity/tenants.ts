/** Lets an administrator manage tenants. */
import { randomUUID } from 'node:crypto'
import type { Caller } from '../../domain/caller.ts'
import { Fault } from '../../domain/fault.ts'
import { createKey, digestKey, pepperId } from '../../platform/api-key.ts'
import type { NewKey } from '../../platform/api-key.ts'
import { insertTenantKey } from '../../store/identity/keys.ts'
import type { Pools } from '../../store/pools.ts'
import { insertTenant, selectTenant, selectTenants } from '../../store/identity/tenants.ts'
import type { TenantRow } from '../../store/identity/tenants.ts'
import { inTenant } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import { issuedEvent } from './key-audit.ts'
import { decodeCursor, toPage } from '../pages.ts'
import type { Page, PageRequest } from '../pages.ts'
import { MICROSECONDS, UUID } from '../patterns.ts'

export type { TenantRow }

export interface TenantsDeps {
  readonly pools: Pools
  readonly pepper: Buffer
  readonly auditor: Auditor
}

export interface CreatedTenant {
  readonly tenantId: string
  readonly key: NewKey
}

/** Creates the tenant and its first key in one transaction, so no tenant is without a key. */
export async function createTenant(
  { pools, pepper, auditor }: TenantsDeps,
  who: Caller,
  what: { readonly name: string },
): Promise<CreatedTenant> {
  const tenantId = randomUUID()
  const key = createKey('tenant')
  await inTenant(pools.tenant, tenantId, async (transaction) => {
    await insertTenant(transaction, what.name)
    await insertTenantKey(transaction, {
      keyId: key.keyId,
      digest: digestKey(pepper, key.key),
      pepperId: pepperId(pepper),
      name: 'first key',
      createdBy: who.actor,
      expiresAt: null,
    })
    await recordAudit(transaction.connection, auditor, [
      { action: 'tenant.created', who, tenantId, subject: tenantId },
      issuedEvent(who, tenantId, 'tenant', key.keyId, null),
    ])
  })
  return { tenantId, key }
}

export async function listTenants({ pools }: TenantsDeps, request: PageRequest): Promise<Page<TenantRow>> {
  const position = decodeCursor(request.cursor, [MICROSECONDS, UUID])
  const after = position && { createdAtMicros: position[0], tenantId: position[1] }
  const rows = await selectTenants(pools.registry, after, request.limit + 1)
  return toPage(
    rows,
    request.limit,
    (row) => row,
    (row) => [row.position.createdAtMicros, row.position.tenantId],
  )
}

export async function getTenant({ pools }: TenantsDeps, tenantId: string): Promise<TenantRow> {
  const tenant = await inTenant(pools.tenant, tenantId, selectTenant)
  if (!tenant) throw new Fault('tenant_not_found')
  return tenant
}
