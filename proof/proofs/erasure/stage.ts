/** Servers of which every file may be searched and copied, an API, a dispatcher and a worker on them, and who asks. */
import { createDeployment, waitUntil } from '@concord/tools/launch'
import type { Child, Deployment } from '@concord/tools/launch'
import { withCompileCache } from '../../harness/compile-cache.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { openServers } from '../../harness/servers.ts'
import type { Servers } from '../../harness/servers.ts'
import { createHttpClient, send } from '../../harness/http.ts'
import type { HttpClient } from '../../harness/http.ts'

export interface Stage {
  readonly servers: Servers
  readonly deployment: Deployment
  readonly caller: HttpClient
  readonly tenant: { readonly id: string; readonly key: string }
  readonly admin: string
  readonly internals: string
  /** There is none at first, so that work waits in the broker for as long as somebody looks there. */
  startWorker(): Promise<void>
  /** Resolves when the API serves again, after its database was away. */
  untilReady(): Promise<void>
  /** Processes that ended by themselves. */
  exits(): number
}

/** All processes log all they can: what must not be in a log must not be in the most talkative one either. */
const SETTINGS = { LOG_LEVEL: 'trace', READERS: '1', DATABASE_POOL_SIZE: '8' }

export async function withStage<Result>(
  { name, repository }: Pick<ProofRun, 'name' | 'repository'>,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  return withCompileCache(async (cache) => {
    const servers = await openServers()
    try {
      const { services } = servers
      const env = { ...cache, ...SETTINGS }
      const deployment = await createDeployment({ services, name, env, ...(repository && { repository }) })
      try {
        await deployment.migrate()
        return await workOn(servers, deployment, work)
      } finally {
        await deployment.remove()
      }
    } finally {
      await servers.remove()
    }
  })
}

async function workOn<Result>(
  servers: Servers,
  deployment: Deployment,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const [admin, internals, api, dispatcher] = await Promise.all([
    createRootKey(deployment, 'admin'),
    createRootKey(deployment, 'internals'),
    deployment.startApi(),
    deployment.startKernel('dispatcher'),
  ])
  const processes: Child[] = [api, dispatcher]
  const caller = createHttpClient(api.url)
  try {
    return await work({
      servers,
      deployment,
      caller,
      admin,
      internals,
      tenant: await createTenant(caller, admin),
      startWorker: async () => void processes.push(await deployment.startKernel('worker')),
      untilReady: () => untilReady(api.url),
      exits: () => processes.filter((each) => each.hasExited()).length,
    })
  } finally {
    caller.close()
  }
}

async function createRootKey(deployment: Deployment, tier: 'admin' | 'internals'): Promise<string> {
  return (await deployment.concord<{ api_key: string }>('keys', 'create', '--tier', tier)).api_key
}

async function createTenant(caller: HttpClient, admin: string): Promise<Stage['tenant']> {
  const body = { name: 'a tenant' }
  const question = { method: 'POST', path: '/admin/tenants', bearer: admin, body }
  const { tenant_id: id, api_key: key } = await caller.json<{ tenant_id: string; api_key: string }>(question)
  return { id, key }
}

async function untilReady(url: string): Promise<void> {
  const probe = async () => (await send(url, { path: '/readyz' })).status === 200
  await waitUntil(probe, { what: 'the API serving again', withinMs: 30_000 })
}
