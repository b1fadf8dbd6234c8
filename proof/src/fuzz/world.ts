/**
 * What exists in the service under test. No schema can say which tenant, key, scope or cursor is a real one, so
 * valid requests take theirs from here; answers add to it as the run goes on. An operation whose parameters are
 * not known here gets generated ones, which shows as a falling share of successes: teach this file about them.
 */
import type { Operation } from './document.ts'

interface KnownTenant {
  readonly id: string
  /** Proves the tenant; never rotated or revoked by the run. */
  readonly key: string
  readonly scopes: string[]
  /** Ids of further live keys, to be read, rotated and revoked. */
  readonly keys: string[]
  live: number
}

export interface NewTenant {
  readonly id: string
  readonly key: string
  readonly keys: readonly string[]
  readonly scopes: readonly string[]
}

export interface RootKeys {
  readonly admin: string
  readonly internals: string
}

/** Values by the name of the parameter that they fit, and the credentials that go with them. */
export interface Facts {
  readonly values: Readonly<Record<string, string>>
  readonly tenantId: string
  readonly tenantKey: string
  readonly root: RootKeys
}

export interface World {
  addTenant(tenant: NewTenant): void
  /** The same draw on the same world gives the same facts. */
  choose(operation: Operation, draw: number): Facts
  /** Takes what a successful answer says into account. */
  learn(operation: Operation, facts: Facts, answer: unknown): void
  readonly problemCodes: readonly string[]
}

/** Below the service's own bound, because several requests are under way at a time. */
const ROOM_FOR_KEYS = 15
const CURSORS_KEPT = 20

export function createWorld(root: RootKeys, problemCodes: readonly string[]): World {
  const tenants: KnownTenant[] = []
  const cursors = new Map<string, string[]>()

  return {
    problemCodes,
    addTenant: ({ id, key, keys, scopes }) =>
      void tenants.push({ id, key, scopes: [...scopes], keys: [...keys], live: 1 + keys.length }),
    choose(operation, draw) {
      const tenant = pick(fitting(tenants, operation), draw)
      const values = {
        tenantId: tenant.id,
        'X-Tenant-ID': tenant.id,
        keyId: pick(tenant.keys, draw),
        scopeId: pick(tenant.scopes, draw),
        code: pick(problemCodes, draw),
        cursor: pick(cursors.get(operation.id) ?? [], draw),
      }
      return { values: dropMissing(values), tenantId: tenant.id, tenantKey: tenant.key, root }
    },
    learn(operation, facts, answer) {
      const seen = answer as Readonly<Record<string, unknown>>
      const tenant = tenants.find((each) => each.id === facts.tenantId)
      if (typeof seen['next_cursor'] === 'string') keep(cursors, operation.id, seen['next_cursor'])
      if (typeof seen['api_key'] === 'string') learnKey(operation, seen, tenant)
      if (operation.id === 'revokeTenantKey') forgetKey(tenant, seen['key_id'])
      if (typeof seen['scope_id'] === 'string') tenant?.scopes.push(seen['scope_id'])
    },
  }

  function learnKey(
    operation: Operation,
    seen: Readonly<Record<string, unknown>>,
    tenant: KnownTenant | undefined,
  ): void {
    if (operation.id === 'createTenant') {
      tenants.push({
        id: String(seen['tenant_id']),
        key: String(seen['api_key']),
        scopes: [],
        keys: [],
        live: 1,
      })
      return
    }
    if (!tenant) return
    tenant.keys.push(String(seen['key_id']))
    tenant.live += 1
    // Without an overlap the replaced key is dead, and nothing here says how long the overlap was.
    removeKey(tenant, seen['replaces'])
  }
}

function forgetKey(tenant: KnownTenant | undefined, keyId: unknown): void {
  if (tenant && removeKey(tenant, keyId)) tenant.live -= 1
}

function removeKey({ keys }: KnownTenant, keyId: unknown): boolean {
  const at = keys.indexOf(String(keyId))
  if (at !== -1) keys.splice(at, 1)
  return at !== -1
}

/** Tenants on which the operation can succeed; any, where none can. */
function fitting(tenants: readonly KnownTenant[], operation: Operation): readonly KnownTenant[] {
  const needs = (name: string) =>
    operation.parameters.some((each) => each.in === 'path' && each.name === name)
  const fit = tenants.filter(
    (tenant) =>
      (!needs('keyId') || tenant.keys.length > 0) &&
      (!needs('scopeId') || tenant.scopes.length > 0) &&
      (operation.method === 'GET' || tenant.live < ROOM_FOR_KEYS),
  )
  return fit.length > 0 ? fit : tenants
}

function pick<Item>(items: readonly Item[], draw: number): Item {
  // An empty list gives undefined, which the caller drops.
  return items[draw % Math.max(1, items.length)] as Item
}

function dropMissing(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function keep(cursors: Map<string, string[]>, id: string, cursor: string): void {
  cursors.set(id, [...(cursors.get(id) ?? []), cursor].slice(-CURSORS_KEPT))
}
