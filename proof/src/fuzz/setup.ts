/** A running service to fire at: two processes on one database, with a few tenants in it. */
import { createDeployment } from '@concord/tools/launch'
import type { Deployment, RunningApi } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import { readDocument } from './document.ts'
import type { ServedDocument } from './document.ts'
import { lookUp } from './schema.ts'
import { createWorld } from './world.ts'
import type { World } from './world.ts'

export interface Target {
  readonly deployment: Deployment
  readonly apis: readonly RunningApi[]
  readonly document: ServedDocument
  readonly world: World
}

const TENANTS = 30

export async function startTarget(services: Services, name: string, repository?: string): Promise<Target> {
  const deployment = await createDeployment({ services, name, ...(repository && { repository }) })
  try {
    await deployment.migrate()
    const [admin, internals] = await Promise.all([
      createRootKey(deployment, 'admin'),
      createRootKey(deployment, 'internals'),
    ])
    const apis = [await deployment.startApi(), await deployment.startApi()]
    const url = apis[0]?.url ?? ''
    const document = readDocument(await (await fetch(`${url}/openapi.json`)).json())
    const world = createWorld({ admin, internals }, problemCodesOf(document))
    await Promise.all(
      Array.from({ length: TENANTS }, (_, at) => addTenant(url, admin, `tenant ${at}`, world)),
    )
    return { deployment, apis, document, world }
  } catch (error) {
    await deployment.remove()
    throw error
  }
}

async function createRootKey(deployment: Deployment, tier: string): Promise<string> {
  const { api_key } = await deployment.concord<{ api_key: string }>('keys', 'create', '--tier', tier)
  return api_key
}

/** With a scope and a few keys, so that no operation has to wait for another before it can succeed. */
async function addTenant(url: string, admin: string, name: string, world: World): Promise<void> {
  const ask = async (
    path: string,
    body: object,
    tenantKey = '',
  ): Promise<Readonly<Record<string, string>>> => {
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
  const { tenant_id: id = '', api_key: key = '' } = await ask('/admin/tenants', { name })
  const issued = await Promise.all([1, 2, 3].map(() => ask(`/admin/tenants/${id}/keys`, {})))
  const { scope_id: scope = '' } = await ask('/admin/scopes', { scope_id: 'first-scope' }, key)
  world.addTenant({ id, key, keys: issued.map(({ key_id = '' }) => key_id), scopes: [scope] })
}

/** Every code of the closed table can be looked up, and the document lists them. */
function problemCodesOf({ json }: ServedDocument): readonly string[] {
  return lookUp(json, '#/components/schemas/Problem/properties/code/enum') as readonly string[]
}
