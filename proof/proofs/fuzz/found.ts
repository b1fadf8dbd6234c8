/**
 * A contradiction and a certificate for each tenant, made by the service itself: no request makes one alone, so a dispatcher and a worker run for as
 * long as it takes to read what the tenants were given.
 */
import { waitUntil } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'
import { requestJson, send } from '../../harness/http.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { SETTLED_SCOPE } from './known-tenant.ts'
import { FOUND_SCOPE } from './tenants.ts'
import type { NewTenant, World } from './world.ts'

const PATIENCE_MS = 30_000

export async function findContradictions(
  deployment: Deployment,
  url: string,
  tenants: readonly NewTenant[],
  world: World,
): Promise<void> {
  const kernel = await Promise.all([
    deployment.startKernel('dispatcher', { LOG_LEVEL: 'info' }),
    deployment.startKernel('worker', { LOG_LEVEL: 'info', READERS: '1' }),
  ])
  try {
    await inParallel(tenants, 4, async ({ id, key }) => {
      const contradictionId = await firstContradiction(url, key)
      await declareSettled(url, key)
      world.addContradiction(id, { scopeId: FOUND_SCOPE, contradictionId })
    })
  } finally {
    await Promise.all(kernel.map((child) => child.stop()))
  }
}

async function declareSettled(url: string, key: string): Promise<void> {
  const request = { method: 'POST', path: `/api/scopes/${SETTLED_SCOPE}/certificate`, bearer: key }
  const declare = async () => (await send(url, request)).status < 300
  await waitUntil(declare, { what: 'a scope being declared settled', withinMs: PATIENCE_MS, everyMs: 250 })
}

async function firstContradiction(url: string, key: string): Promise<string> {
  let found: string | undefined
  const look = async () => {
    const path = `/api/scopes/${FOUND_SCOPE}/contradictions`
    const { items } = await requestJson<{ items: { contradiction_id: string }[] }>(url, { path, bearer: key })
    found = items[0]?.contradiction_id
    return found !== undefined
  }
  await waitUntil(look, { what: 'a contradiction being found', withinMs: PATIENCE_MS, everyMs: 250 })
  return found ?? ''
}
