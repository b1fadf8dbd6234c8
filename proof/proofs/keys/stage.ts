/**
 * The service as the proof of keys meets it: two processes as usual, a third that cannot reach the broker, and
 * everything that is secret in the run, remembered so that it can be looked for afterwards.
 */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { createDeployment, freePort } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'
import type { Services } from '@concord/tools/services'
import { createHttpClient } from '../../harness/http.ts'
import type { HttpClient, HttpRequest, HttpResponse } from '../../harness/http.ts'
import { openStream } from '../../harness/http/event-stream.ts'
import type { RawEventStream } from '../../harness/http/event-stream.ts'
import type { ProofRun } from '../../harness/proof.ts'

export interface KeysTenant {
  readonly id: string
  readonly key: string
}

export interface ProvedKey {
  readonly key_id: string
  readonly api_key: string
}

export type Stage = Awaited<ReturnType<typeof furnish>>

type Evidence = Awaited<ReturnType<typeof startEvidence>>

export async function openStage({ services, name, repository }: ProofRun): Promise<Stage> {
  const deployment = await createDeployment({ services, name, ...(repository && { repository }) })
  try {
    await deployment.migrate()
    return await furnish(services, deployment)
  } catch (error) {
    await deployment.remove()
    throw error
  }
}

/**
 * The secrets that must not be found, and a part of where to look. Contents are names and texts that nobody would write by chance;
 * sealed are those that are stored encrypted, if they are stored at all: documents, what they are called, where from.
 */
async function startEvidence(services: Services) {
  return {
    keys: new Set<string>(),
    /** Stands in every content, and in every sealed one: one search finds any of them. */
    contentMark: `content${randomBytes(8).toString('hex')}`,
    sealedMark: `sealed${randomBytes(8).toString('hex')}`,
    /** How long the log of Postgres was before this run. */
    logStart: (await stat(services.postgres.logFile)).size,
    errorBodies: [] as string[],
    /** For each response that showed a secret, whether it forbade caches to keep it. */
    showings: [] as boolean[],
  }
}

async function furnish(services: Services, deployment: Deployment) {
  const evidence = await startEvidence(services)
  const streams: RawEventStream[] = []
  const createRootKey = async (tier: 'admin' | 'internals') => {
    const issued = await deployment.concord<ProvedKey>('keys', 'create', '--tier', tier)
    evidence.keys.add(issued.api_key)
    return issued
  }
  const [{ api_key: admin }, clients] = await Promise.all([
    createRootKey('admin'),
    startProcesses(deployment, (response) => collect(evidence, response)),
  ])
  const asAdmin = <Body>(request: HttpRequest) => clients[0].json<Body>({ bearer: admin, ...request })
  return {
    services,
    deployment,
    /** Process 1, process 2, and process 3 without the broker. */
    clients,
    admin,
    evidence,
    createRootKey,
    /** A tenant with a name that nobody would write by chance. */
    async createTenant(): Promise<KeysTenant> {
      const body = { name: canary('tenant', evidence) }
      const made = await asAdmin<{ tenant_id: string; api_key: string }>({ path: '/admin/tenants', body })
      return { id: made.tenant_id, key: made.api_key }
    },
    issueKey: (tenant: KeysTenant, body: object = {}) => asAdmin<ProvedKey>({ path: keysOf(tenant), body }),
    revoke: (tenant: KeysTenant, { key_id }: ProvedKey) =>
      asAdmin<unknown>({ method: 'POST', path: `${keysOf(tenant)}/${key_id}/revoke` }),
    rotate: (tenant: KeysTenant, { key_id }: ProvedKey, overlap_seconds: number) =>
      asAdmin<ProvedKey & { readonly replaced_expires_at: string }>({
        path: `${keysOf(tenant)}/${key_id}/rotate`,
        body: { overlap_seconds },
      }),
    /** `concord keys revoke`, as an operator types it. */
    revokeByCommand: ({ key_id }: ProvedKey, tenant?: KeysTenant) =>
      deployment.concord('keys', 'revoke', key_id, ...(tenant ? ['--tenant', tenant.id] : [])),
    /** With an id that is found again wherever it turns up; returns it. */
    async createScope({ key: tenantKey }: KeysTenant): Promise<string> {
      const scope_id = `scope-${randomBytes(8).toString('hex')}`
      await asAdmin({ path: '/admin/scopes', tenantKey, body: { scope_id } })
      return scope_id
    },
    /** Closed when the stage is. */
    async follow({ url }: HttpClient, request: HttpRequest): Promise<RawEventStream> {
      const stream = await openStream(url, request)
      streams.push(stream)
      if (stream.status === 200) return stream
      throw new Error(`${request.path} answered ${stream.status}: ${stream.text()}`)
    },
    async close() {
      for (const open of [...streams, ...clients]) open.close()
      await deployment.remove()
    },
  }
}

const keysOf = ({ id }: KeysTenant) => `/admin/tenants/${id}/keys`

type Clients = readonly [HttpClient, HttpClient, HttpClient]

/** The third logs all it can: what must not be in a log must not be in the most talkative one either. */
async function startProcesses(
  deployment: Deployment,
  onResponse: (response: HttpResponse) => void,
): Promise<Clients> {
  const deaf = {
    NATS_URL: `nats://nobody:${randomBytes(12).toString('hex')}@127.0.0.1:${await freePort()}`,
    LOG_LEVEL: 'trace',
  }
  const start = async (env = {}) => createHttpClient((await deployment.startApi(env)).url, onResponse)
  return Promise.all([start(), start(), start(deaf)])
}

function collect({ keys, errorBodies, showings }: Evidence, { status, headers, text }: HttpResponse): void {
  if (status >= 400) errorBodies.push(text)
  const [, key] = /"api_key":"([^"]+)"/.exec(text) ?? []
  if (key === undefined) return
  keys.add(key)
  showings.push(headers.get('cache-control') === 'no-store')
}

/** A text that stands for content and is found again wherever it turns up. */
export function canary(what: string, { contentMark }: Evidence): string {
  return `canary-${what}-${contentMark}-${randomBytes(8).toString('hex')}`
}

/** A text that must not be stored as it is, either. */
export function sealedCanary(what: string, evidence: Evidence): string {
  return canary(`${what}-${evidence.sealedMark}`, evidence)
}
