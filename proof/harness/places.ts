/** Where documents go: a few tenants with a few scopes each, made as an administrator makes them. */
import type { Fleet } from './fleet.ts'
import { requestJson } from './http.ts'
import { inParallel } from './in-parallel.ts'

export interface Place {
  readonly tenantId: string
  readonly tenantKey: string
  readonly scopeId: string
}

/** Scopes of a tenant that are made at the same time. */
const AT_ONCE = 8

export async function createPlaces(
  fleet: Fleet,
  { tenants, scopes }: { readonly tenants: number; readonly scopes: number },
): Promise<[Place, ...Place[]]> {
  const bearer = await createRootKey(fleet, 'admin')
  const url = fleet.url()
  const made = Array.from({ length: tenants }, async (_, tenant) => {
    const body = { name: `tenant ${tenant}` }
    const { tenant_id: tenantId, api_key: tenantKey } = await requestJson<IssuedTenant>(url, {
      path: '/admin/tenants',
      bearer,
      body,
    })
    const own = Array.from({ length: scopes }, (__, scope) => {
      return { tenantId, tenantKey, scopeId: `scope-${scope}` }
    })
    await inParallel(own, AT_ONCE, async ({ scopeId }) => {
      await requestJson(url, { path: '/admin/scopes', bearer, tenantKey, body: { scope_id: scopeId } })
    })
    return own
  })
  const [first, ...others] = (await Promise.all(made)).flat()
  if (!first) throw new Error('A proof needs at least one scope.')
  return [first, ...others]
}

interface IssuedTenant {
  readonly tenant_id: string
  readonly api_key: string
}

export interface RootKeys {
  readonly admin: string
  readonly internals: string
}

export async function createRootKeys(fleet: Fleet): Promise<RootKeys> {
  return { admin: await createRootKey(fleet, 'admin'), internals: await createRootKey(fleet, 'internals') }
}

export async function createRootKey({ deployment }: Fleet, tier: 'admin' | 'internals'): Promise<string> {
  return (await deployment.concord<{ api_key: string }>('keys', 'create', '--tier', tier)).api_key
}
