/** The keys, tenant and scope a newcomer starts with; made again when the database they were made in is gone. */
import { concordCommand } from './processes.ts'
import type { DevKeys, DevProfile } from './profile.ts'

export async function ensureDevKeys(url: string, { env, keys }: DevProfile): Promise<DevKeys> {
  if (keys && (await stillGood(url, keys))) return keys
  const make = async <Made>(...args: string[]): Promise<Made> =>
    JSON.parse(await concordCommand(env, ...args, '--json'))
  const { api_key: internalsKey } = await make<{ api_key: string }>(
    'keys',
    'create',
    '--tier',
    'internals',
    '--name',
    'dev',
  )
  const { api_key: adminKey } = await make<{ api_key: string }>(
    'keys',
    'create',
    '--tier',
    'admin',
    '--name',
    'dev',
  )
  const tenant = await make<{ tenant_id: string; api_key: string }>('tenants', 'create', '--name', 'Demo')
  const scopeId = 'first-case'
  await make('scopes', 'create', scopeId, '--tenant', tenant.tenant_id)
  return { internalsKey, adminKey, tenantId: tenant.tenant_id, tenantKey: tenant.api_key, scopeId }
}

async function stillGood(url: string, { internalsKey, tenantKey, scopeId }: DevKeys): Promise<boolean> {
  const answers = await Promise.all([
    fetch(`${url}/internals/health`, { headers: { authorization: `Bearer ${internalsKey}` } }),
    fetch(`${url}/api/scopes/${scopeId}`, { headers: { authorization: `Bearer ${tenantKey}` } }),
  ])
  return answers.every((answer) => answer.ok)
}
