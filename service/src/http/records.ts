/** Rows as the contract writes them: the only place where a column becomes a JSON name. */
import type { IssuedKey, KeyRow } from '../app/identity/keys.ts'
import type { Page } from '../app/pages.ts'
import type { RuntimeRecord } from '../app/processing/runtime.ts'
import type { ScopeRow } from '../app/scopes/scopes.ts'
import type { TenantRow } from '../app/identity/tenants.ts'
import { keyStatus } from '../domain/key.ts'
import type { KeyStatus } from '../domain/key.ts'
import { keyPrefix } from '../platform/api-key.ts'

export function toScopeRecord(scope: ScopeRow): {
  scope_id: string
  display_name: string | null
  epoch: number
  created_at: string
} {
  return {
    scope_id: scope.scopeId,
    display_name: scope.displayName,
    epoch: scope.epoch,
    created_at: scope.createdAt.toISOString(),
  }
}

export function toCreatedScope(scope: ScopeRow) {
  return {
    status: 201,
    headers: { location: `/api/scopes/${scope.scopeId}` },
    body: toScopeRecord(scope),
  } as const
}

export function toRuntimeRecord(runtime: RuntimeRecord): {
  level: RuntimeRecord['level']
  tenant_id: string | null
  scope_id: string | null
  state: RuntimeRecord['state']
  effective_state: RuntimeRecord['effectiveState']
  generation: number
  changed: boolean
  in_flight: number
  changed_at: string | null
  changed_by: string | null
} {
  return {
    level: runtime.level,
    tenant_id: runtime.tenantId,
    scope_id: runtime.scopeId,
    state: runtime.state,
    effective_state: runtime.effectiveState,
    generation: runtime.generation,
    changed: runtime.changed,
    in_flight: runtime.inFlight,
    changed_at: runtime.changedAt?.toISOString() ?? null,
    changed_by: runtime.changedBy,
  }
}

export function toTenantRecord(tenant: TenantRow): { tenant_id: string; name: string; created_at: string } {
  return { tenant_id: tenant.tenantId, name: tenant.name, created_at: tenant.createdAt.toISOString() }
}

export function toKeyRecord(key: KeyRow): {
  key_id: string
  key_prefix: string
  name: string | null
  status: KeyStatus
  created_at: string
  created_by: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
} {
  return {
    key_id: key.keyId,
    key_prefix: keyPrefix(key.tier, key.keyId),
    name: key.name,
    status: keyStatus(key),
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  }
}

export function toIssuedKeyRecord({ key, expiresAt }: IssuedKey): {
  key_id: string
  api_key: string
  key_prefix: string
  expires_at: string | null
  message: string
} {
  return {
    key_id: key.keyId,
    api_key: key.key,
    key_prefix: key.prefix,
    expires_at: expiresAt?.toISOString() ?? null,
    message: 'Keep this key now; it is not stored and cannot be shown again.',
  }
}

export function toPageRecord<Row, Item>(
  page: Page<Row>,
  toItem: (row: Row) => Item,
): { items: Item[]; next_cursor: string | null } {
  return { items: page.items.map(toItem), next_cursor: page.nextCursor }
}
