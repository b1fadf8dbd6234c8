/**
 * Where an attack takes place: a deployment of its own with the twins in its database, processes for each way of
 * authenticating, and every credential that an attacker could try.
 */
import { randomBytes } from 'node:crypto'
import { createDeployment } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import { failDocuments, holdDocuments } from '../../harness/ended-documents.ts'
import { requireSameChecksum } from '../../harness/forged-keys.ts'
import { requestJson } from '../../harness/http.ts'
import { readFrames } from '../../harness/http/event-frames.ts'
import { readExpectations } from './expectations.ts'
import { processDocuments } from './processing.ts'
import { servedRoutes } from './routes.ts'
import { startService } from './service.ts'
import type { Service } from './service.ts'
import { DOCUMENT_SCOPE_ID, QUIET_SCOPE_IDS } from './twin-documents.ts'
import { createTwins, withContradictions } from './twins.ts'
import type { Twin, Twins } from './twins.ts'

export interface StageOptions {
  readonly services: Services
  /** Tells the stages of one run apart. */
  readonly name: string
  /** Further settings for every process. */
  readonly env: Readonly<Record<string, string>>
  /** A changed copy to run instead of this repository; in fewer processes, because there it is about statements. */
  readonly repository?: string | undefined
}

export type IsolationStage = Awaited<ReturnType<typeof setStage>>

export async function withStage<Result>(
  { services, name, env, repository }: StageOptions,
  work: (stage: IsolationStage) => Promise<Result>,
): Promise<Result> {
  const gatewaySecret = randomBytes(32)
  const settings = {
    LOG_LEVEL: 'error',
    DATABASE_POOL_SIZE: '4',
    GATEWAY_SECRET: gatewaySecret.toString('base64'),
  }
  const deployment = await createDeployment({
    services,
    name: `isolation_${process.pid}_${name}`,
    env: { ...settings, ...env },
    ...(repository && { repository }),
  })
  let service: Service | undefined
  try {
    await deployment.migrate()
    service = await startService(deployment, repository !== undefined)
    return await work(await setStage(services, deployment, service, gatewaySecret))
  } finally {
    service?.close()
    await deployment.remove()
  }
}

async function setStage(services: Services, deployment: Deployment, service: Service, gatewaySecret: Buffer) {
  const { databaseName } = deployment
  const { seed, send, urlOf, rootKeys } = service
  requireSameChecksum(rootKeys.admin)
  const unread = await createTwins(seed)
  /** The results of the documents that the twins had when the stage was set. */
  const processing = await processDocuments(deployment, send, unread)
  const twins = await withContradictions(seed, unread)
  return {
    ...service,
    services,
    databaseName,
    expectations: readExpectations(),
    routes: servedRoutes(await requestJson(urlOf('key', 0), { path: '/openapi.json' })),
    twins,
    processing,
    /** The id of a document of this twin, in the scope of its documents, handed out once. */
    takeDocument: await createExpendables(seed, twins, services, databaseName),
    /** How long the logs of the quiet scopes are, in their order. */
    quietHeads: { left: await readHeads(send, twins.left), right: await readHeads(send, twins.right) },
    gatewaySecret,
    strangeSecret: randomBytes(32),
  }
}

/** Requests use documents up: one is removed once, tried again only after it failed, let pass only while held. */
const EXPENDABLES = ['failed', 'held', 'removable'] as const

export type Expendable = (typeof EXPENDABLES)[number]

/** More than a table of credentials admits on one route. */
const EACH = 100

async function createExpendables(
  seed: Service['seed'],
  { left, right }: Twins,
  services: Services,
  database: string,
) {
  for (const { key: bearer } of [left, right]) {
    for (const kind of EXPENDABLES) {
      const documents = Array.from({ length: EACH }, (_, at) => {
        const id = `${kind}-${at}`
        return { scope_id: DOCUMENT_SCOPE_ID, document_id: id, name: id, text: 'To be used up.' }
      })
      await seed({ path: '/api/ingest/batch', bearer, body: { documents } })
    }
  }
  await failDocuments(services, database, 'failed-')
  await holdDocuments(services, database, 'held-')
  const taken = new Map<string, number>()
  return ({ tenantId }: Twin, kind: Expendable) => {
    const at = taken.get(`${tenantId} ${kind}`) ?? 0
    taken.set(`${tenantId} ${kind}`, at + 1)
    if (at >= EACH) throw new Error(`More than ${EACH} ${kind} documents are needed; raise it in stage.ts.`)
    return `${kind}-${at}`
  }
}

/** Asked for a position beyond its end, a stream tells where its log ends. */
async function readHeads(send: Service['send'], { key: bearer }: Twin): Promise<number[]> {
  const heads: number[] = []
  for (const scopeId of QUIET_SCOPE_IDS) {
    const path = `/api/scopes/${scopeId}/events?after=900000`
    const { status, text } = await send('key', 0, { path, bearer, awaitsEvent: true })
    const [frame] = readFrames(text)
    if (frame?.event !== 'resync')
      throw new Error(`${scopeId} did not tell where its log ends: ${status} ${text.slice(0, 200)}`)
    heads.push((JSON.parse(frame.data) as { readonly head: number }).head)
  }
  return heads
}
