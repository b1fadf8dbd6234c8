/** Servers of which every file may be searched and copied, and an API, a dispatcher and a worker on them. */
import { createDeployment, waitUntil } from '@concord/tools/launch'
import type { Child, Deployment } from '@concord/tools/launch'
import { withCompileCache } from '../../harness/compile-cache.ts'
import { bindDatabase } from '../../harness/database.ts'
import { createHttpClient } from '../../harness/http.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { openServers } from '../../harness/servers.ts'
import type { Servers } from '../../harness/servers.ts'

/** All processes log all they can: what must not be in a log must not be in the most talkative one either. */
const SETTINGS = { LOG_LEVEL: 'trace', READERS: '1', DATABASE_POOL_SIZE: '8' }

export type ErasureStage = Awaited<ReturnType<typeof openStage>>

export async function withStage<Result>(
  { name, repository }: Pick<ProofRun, 'name' | 'repository'>,
  work: (stage: ErasureStage) => Promise<Result>,
): Promise<Result> {
  return withCompileCache(async (cache) => {
    await using stack = new AsyncDisposableStack()
    const servers = stack.adopt(await openServers(), (each) => each.remove())
    const options = { services: servers.services, name, env: { ...cache, ...SETTINGS } }
    const deployment = await createDeployment({ ...options, ...(repository && { repository }) })
    stack.defer(() => deployment.remove())
    await deployment.migrate()
    const stage = await openStage(servers, deployment)
    stack.defer(() => stage.client.close())
    return await work(stage)
  })
}

async function openStage(servers: Servers, deployment: Deployment) {
  const createRootKey = async (tier: string) =>
    (await deployment.concord<{ api_key: string }>('keys', 'create', '--tier', tier)).api_key
  const [admin, internals, api, dispatcher] = await Promise.all([
    createRootKey('admin'),
    createRootKey('internals'),
    deployment.startApi(),
    deployment.startKernel('dispatcher'),
  ])
  const processes: Child[] = [api, dispatcher]
  const client = createHttpClient(api.url)
  const request = { path: '/admin/tenants', bearer: admin, body: { name: 'a tenant' } }
  const tenant = await client.json<{ tenant_id: string; api_key: string }>(request)
  const isReady = async () => (await client.send({ path: '/readyz' })).status === 200
  return {
    servers,
    deployment,
    client,
    admin,
    internals,
    tenant: { id: tenant.tenant_id, key: tenant.api_key },
    ...bindDatabase(servers.services, deployment.databaseName),
    /** There is none at first, so that work waits in the broker for as long as somebody looks there. */
    startWorker: async () => void processes.push(await deployment.startKernel('worker')),
    /** Resolves when the API serves again, after its database was away. */
    untilReady: () => waitUntil(isReady, { what: 'the API serving again', withinMs: 30_000 }),
    /** Processes that ended by themselves. */
    exits: () => processes.filter((each) => each.hasExited()).length,
  }
}
