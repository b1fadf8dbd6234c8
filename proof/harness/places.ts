/** Where documents go: a few tenants with a few scopes each, made as an administrator makes them. */
import type { Fleet } from './fleet.ts'

export interface Place {
  readonly tenantId: string
  readonly tenantKey: string
  readonly scopeId: string
}

export async function createPlaces(
  fleet: Fleet,
  { tenants, scopes }: { readonly tenants: number; readonly scopes: number },
): Promise<Place[]> {
  const admin = await createRootKey(fleet, 'admin')
  const url = fleet.urls()[0] ?? ''
  const made = Array.from({ length: tenants }, async (_, tenant) => {
    const { tenant_id: tenantId = '', api_key: tenantKey = '' } = await post(url, '/admin/tenants', admin, {
      name: `tenant ${tenant}`,
    })
    return Promise.all(
      Array.from({ length: scopes }, async (__, scope) => {
        const scopeId = `scope-${scope}`
        await post(url, '/admin/scopes', admin, { scope_id: scopeId }, tenantKey)
        return { tenantId, tenantKey, scopeId }
      }),
    )
  })
  return (await Promise.all(made)).flat()
}

export async function createRootKey({ deployment }: Fleet, tier: 'admin' | 'internals'): Promise<string> {
  return (await deployment.concord<{ api_key: string }>('keys', 'create', '--tier', tier)).api_key
}

async function post(
  url: string,
  path: string,
  admin: string,
  body: object,
  tenantKey?: string,
): Promise<Readonly<Record<string, string>>> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin}`,
      'content-type': 'application/json',
      ...(tenantKey && { 'x-tenant-api-key': tenantKey }),
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Readonly<Record<string, string>>
}
