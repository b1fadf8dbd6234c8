/** A running service to fire at: two processes on one database, with a few tenants and their documents in it. */
import { createDeployment, waitUntil } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'
import { failDocuments } from '../../harness/ended-documents.ts'
import { requestJson, send } from '../../harness/http.ts'
import { openStream } from '../../harness/http/event-stream.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import { readDocument } from '../../harness/openapi.ts'
import { lookUp } from '../../harness/openapi/schema.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { SETTLED_SCOPE } from './known-tenant.ts'
import type { NewTenant } from './known-tenant.ts'
import { FAILED_PREFIX, FOUND_SCOPE, makeTenant } from './tenants.ts'
import { createWorld } from './world.ts'

export type FuzzTarget = Awaited<ReturnType<typeof prepareTarget>>

const TENANTS = 30
/** The share of all requests, the part that uses up a failed document, or a scope: one operation each of some forty. */
const USED_SHARE = 1 / 25
const TIMEOUT_MS = 30_000

/** `requests` is how many there will be, roughly: each kind of thing that is used up must last as long. */
export async function startTarget(
  { services, name, repository }: ProofRun,
  requests: number,
): Promise<FuzzTarget> {
  const deployment = await createDeployment({ services, name, ...(repository && { repository }) })
  try {
    await deployment.migrate()
    const target = await prepareTarget(deployment, Math.ceil((requests * USED_SHARE) / TENANTS))
    await failDocuments(services, deployment.databaseName, FAILED_PREFIX)
    await findContradictions(target)
    return target
  } catch (error) {
    await deployment.remove()
    throw error
  }
}

async function prepareTarget(deployment: Deployment, used: number) {
  const createRootKey = async (tier: string) =>
    (await deployment.concord<{ api_key: string }>('keys', 'create', '--tier', tier)).api_key
  const [admin, internals] = await Promise.all([createRootKey('admin'), createRootKey('internals')])
  const apis = [await deployment.startApi(), await deployment.startApi()]
  const url = apis[0]?.url ?? ''
  const document = readDocument(await requestJson(url, { path: '/openapi.json' }))
  // Every code of the closed table can be looked up, and the document lists them.
  const codes = lookUp(document.json, '#/components/schemas/Problem/properties/code/enum')
  const world = createWorld({ admin, internals }, codes as readonly string[])
  const tenants: NewTenant[] = []
  // The positions on the stream of all scopes cannot be made up, so one is read off while things happen.
  const operation = document.operations.find(({ id }) => id === 'streamKernelEvents')
  if (!operation) throw new Error('streamKernelEvents is not served any more')
  using stream = await openStream(url, { path: operation.path, bearer: internals })
  const names = Array.from({ length: TENANTS }, (_, at) => `tenant ${at}`)
  await inParallel(names, 5, async (name) => {
    const tenant = await makeTenant(url, admin, name, used)
    tenants.push(tenant)
    world.addTenant(tenant)
  })
  await waitUntil(() => stream.frames().length > 0, { what: 'the first event of all scopes' })
  world.learnStream(operation, stream.text())
  return { deployment, apis, url, document, world, tenants }
}

const until = <Value>(what: string, probe: () => Promise<Value | undefined | false>) =>
  waitUntil(probe, { what, withinMs: TIMEOUT_MS, everyMs: 250 })

/**
 * A contradiction and a certificate for each tenant, made by the service itself: no request makes one alone, so a
 * dispatcher and a worker run for as long as it takes to read what the tenants were given.
 */
async function findContradictions({ deployment, url, tenants, world }: FuzzTarget): Promise<void> {
  const kernel = await Promise.all([
    deployment.startKernel('dispatcher', { LOG_LEVEL: 'info' }),
    deployment.startKernel('worker', { LOG_LEVEL: 'info', READERS: '1' }),
  ])
  try {
    await inParallel(tenants, 4, async ({ id, key: bearer }) => {
      const path = `/api/scopes/${FOUND_SCOPE}/contradictions`
      const contradictionId = await until('a contradiction being found', async () => {
        const { items } = await requestJson<{ items: { contradiction_id: string }[] }>(url, { path, bearer })
        return items[0]?.contradiction_id
      })
      const declare = { method: 'POST', path: `/api/scopes/${SETTLED_SCOPE}/certificate`, bearer }
      await until('a scope being declared settled', async () => (await send(url, declare)).status < 300)
      world.addContradiction(id, { scopeId: FOUND_SCOPE, contradictionId })
    })
  } finally {
    await Promise.all(kernel.map((child) => child.stop()))
  }
}
