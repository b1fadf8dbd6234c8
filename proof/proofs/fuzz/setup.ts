/** A running service to fire at: two processes on one database, with a few tenants and their documents in it. */
import { createDeployment, waitUntil } from '@concord/tools/launch'
import type { Deployment, RunningApi } from '@concord/tools/launch'
import { requestJson } from '../../harness/http.ts'
import { openStream } from '../../harness/http/event-stream.ts'
import { failDocuments } from '../../harness/ended-documents.ts'
import { inParallel } from '../../harness/in-parallel.ts'
import type { ProofRun } from '../../harness/proof.ts'
import { readDocument } from './document.ts'
import type { ServedDocument } from './document.ts'
import { findContradictions } from './found.ts'
import { lookUp } from './schema.ts'
import { FAILED_PREFIX, makeTenant } from './tenants.ts'
import { createWorld } from './world.ts'
import type { NewTenant, World } from './world.ts'

export interface Target {
  readonly deployment: Deployment
  readonly apis: readonly RunningApi[]
  readonly document: ServedDocument
  readonly world: World
}

const TENANTS = 30
/** Of all requests, the part that uses up a failed document, or a scope: one operation each of some forty. */
const USED_SHARE = 1 / 25

/** `requests` is how many there will be, roughly: each kind of thing that is used up must last as long. */
export async function startTarget(
  { services, name, repository }: ProofRun,
  requests: number,
): Promise<Target> {
  const deployment = await createDeployment({ services, name, ...(repository && { repository }) })
  try {
    await deployment.migrate()
    const [admin, internals] = await Promise.all([
      createRootKey(deployment, 'admin'),
      createRootKey(deployment, 'internals'),
    ])
    const apis = [await deployment.startApi(), await deployment.startApi()]
    const url = apis[0]?.url ?? ''
    const document = readDocument(await requestJson(url, { path: '/openapi.json' }))
    const world = createWorld({ admin, internals }, problemCodesOf(document))
    const used = Math.ceil((requests * USED_SHARE) / TENANTS)
    const tenants: NewTenant[] = []
    await whileListening(url, internals, document, world, async () => {
      const wishes = Array.from({ length: TENANTS }, (_, at) => ({
        url,
        admin,
        name: `tenant ${at}`,
        failed: used,
        deletions: used,
      }))
      await inParallel(wishes, 5, async (wish) => {
        const tenant = await makeTenant(wish)
        tenants.push(tenant)
        world.addTenant(tenant)
      })
    })
    await failDocuments(services, deployment.databaseName, FAILED_PREFIX)
    await findContradictions(deployment, url, tenants, world)
    return { deployment, apis, document, world }
  } catch (error) {
    await deployment.remove()
    throw error
  }
}

/** The positions on the stream of all scopes cannot be made up, so one is read off while things happen. */
async function whileListening(
  url: string,
  internals: string,
  { operations }: ServedDocument,
  world: World,
  work: () => Promise<void>,
): Promise<void> {
  const operation = operations.find(({ id }) => id === 'streamKernelEvents')
  if (!operation) return work()
  using stream = await openStream(url, { path: operation.path, bearer: internals })
  await work()
  await waitUntil(() => stream.frames().length > 0, { what: 'the first event of all scopes' })
  world.learnStream(operation, stream.text())
}

async function createRootKey(deployment: Deployment, tier: string): Promise<string> {
  const { api_key } = await deployment.concord<{ api_key: string }>('keys', 'create', '--tier', tier)
  return api_key
}

/** Every code of the closed table can be looked up, and the document lists them. */
function problemCodesOf({ json }: ServedDocument): readonly string[] {
  return lookUp(json, '#/components/schemas/Problem/properties/code/enum') as readonly string[]
}
