/** Values with which a route succeeds when the caller is admitted, so that a refusal can only be about the caller. */
import { keyIdOf } from './forged-keys.ts'
import type { Values } from './requests.ts'
import type { ServedRoute } from './routes.ts'
import type { Stage } from './stage.ts'
import { freshCanary, SHARED_SCOPE_IDS } from './twins.ts'
import type { Twin } from './twins.ts'

/** Bodies by operation. A route with a body that is not named here cannot be attacked, and the run says so. */
const bodies: Readonly<Record<string, () => unknown>> = {
  createTenant: () => ({ name: `Bystander ${freshCanary()}` }),
  issueTenantKey: () => ({ name: 'nightly job' }),
  rotateTenantKey: () => ({ overlap_seconds: 60 }),
  createScope: () => ({ scope_id: `fresh-${freshCanary()}`, display_name: 'Case file' }),
}

export function validBody(route: ServedRoute): unknown {
  const body = bodies[route.operation.replace(/Deprecated$/, '')]
  if (body) return body()
  if (!route.hasBody) return undefined
  throw new Error(
    `${route.operation} takes a body that nobody wrote down; add a valid one to valid-values.ts.`,
  )
}

/** About things that exist and belong to this twin. */
export function existingValues(route: ServedRoute, twin: Twin): Values {
  const known: Readonly<Record<string, string>> = {
    scopeId: SHARED_SCOPE_IDS[0],
    tenantId: twin.tenantId,
    keyId: twin.targetKeyIds[0] ?? '',
    code: 'not_found',
  }
  return { params: pick(route, known), body: validBody(route) }
}

/** A tenant of its own for a request that changes one: a key can be revoked once, and a tenant holds so many. */
export async function expendableValues(stage: Stage, route: ServedRoute): Promise<Values> {
  const { tenant_id: tenantId, key_prefix: prefix } = await stage.seed<{
    tenant_id: string
    key_prefix: string
  }>({
    method: 'POST',
    path: '/admin/tenants',
    body: { name: `Bystander ${freshCanary()}` },
  })
  return { params: pick(route, { tenantId, keyId: keyIdOf(prefix) }), body: validBody(route) }
}

function pick(route: ServedRoute, known: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    route.parameters.map((name) => {
      const value = known[name]
      if (value === undefined)
        throw new Error(`{${name}} of ${route.path} has no value yet; add one to valid-values.ts.`)
      return [name, value]
    }),
  )
}
