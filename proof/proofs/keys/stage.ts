/**
 * The service as the proof of keys meets it: two processes as usual, a third that cannot reach the broker, and
 * everything that is secret in the run, remembered so that it can be looked for afterwards.
 */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { createDeployment, freePort } from '@concord/tools/launch'
import type { Deployment } from '@concord/tools/launch'
import type { ProofRun } from '../../harness/proof.ts'
import type { Services } from '@concord/tools/services'
import type { EventStream } from '../../harness/http/event-stream.ts'
import { createHttpClient } from '../../harness/http.ts'
import type { HttpClient, HttpResponse } from '../../harness/http.ts'

export interface Tenant {
  readonly id: string
  readonly key: string
}

export interface IssuedKey {
  readonly key_id: string
  readonly api_key: string
  readonly key_prefix: string
  readonly expires_at: string | null
}

export interface Stage {
  readonly services: Services
  readonly deployment: Deployment
  /** Process 1, process 2, and process 3 without the broker. */
  readonly callers: readonly [HttpClient, HttpClient, HttpClient]
  readonly admin: string
  /** A tenant with a name that nobody would write by chance. */
  createTenant(): Promise<Tenant>
  issueKey(tenant: Tenant, body?: object): Promise<IssuedKey>
  /** `concord keys revoke`, as an operator types it. */
  revokeByCommand(keyId: string, tenantId?: string): Promise<void>
  createRootKey(tier: 'admin' | 'internals'): Promise<IssuedKey>
  /** With an id that is found again wherever it turns up; returns it. */
  createScope(tenant: Tenant): Promise<string>
  /** Closed when the stage is. */
  keepStream(stream: EventStream): void
  close(): Promise<void>
  readonly evidence: Evidence
}

/**
 * What must not be found, and a part of where to look. Contents are names and texts that nobody would write by chance;
 * sealed are those that are stored encrypted, if they are stored at all: documents, what they are called, where from.
 */
export interface Evidence {
  readonly keys: Set<string>
  /** How long the log of Postgres was before this run. */
  readonly logStart: number
  /** Stands in every content, and in every sealed one: one search finds any of them. */
  readonly contentMark: string
  readonly sealedMark: string
  readonly errorBodies: string[]
  /** Answers that showed a secret, with whether they forbade caches to keep it. */
  readonly showings: { readonly noStore: boolean }[]
}

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

async function furnish(services: Services, deployment: Deployment): Promise<Stage> {
  const evidence: Evidence = {
    keys: new Set(),
    contentMark: `content${randomBytes(8).toString('hex')}`,
    sealedMark: `sealed${randomBytes(8).toString('hex')}`,
    logStart: (await stat(services.postgres.logFile)).size,
    errorBodies: [],
    showings: [],
  }
  const streams: EventStream[] = []
  const createRootKey = async (tier: 'admin' | 'internals') => {
    const issued = await deployment.concord<IssuedKey>('keys', 'create', '--tier', tier)
    evidence.keys.add(issued.api_key)
    return issued
  }
  const [{ api_key: admin }, callers] = await Promise.all([
    createRootKey('admin'),
    startProcesses(deployment, (reply) => collect(evidence, reply)),
  ])
  const [first] = callers
  return {
    services,
    deployment,
    callers,
    admin,
    evidence,
    createRootKey,
    async createTenant() {
      const name = canary('tenant', evidence)
      const made = await first.json<{ tenant_id: string; api_key: string }>({
        method: 'POST',
        path: '/admin/tenants',
        bearer: admin,
        body: { name },
      })
      return { id: made.tenant_id, key: made.api_key }
    },
    issueKey: async ({ id }, body = {}) =>
      first.json<IssuedKey>({ method: 'POST', path: `/admin/tenants/${id}/keys`, bearer: admin, body }),
    revokeByCommand: async (keyId, tenantId) =>
      void (await deployment.concord('keys', 'revoke', keyId, ...(tenantId ? ['--tenant', tenantId] : []))),
    async createScope({ key }) {
      const scope_id = `scope-${randomBytes(8).toString('hex')}`
      const path = '/admin/scopes'
      await first.json({ method: 'POST', path, bearer: admin, tenantKey: key, body: { scope_id } })
      return scope_id
    },
    keepStream: (stream) => void streams.push(stream),
    async close() {
      for (const stream of streams) stream.close()
      for (const caller of callers) caller.close()
      await deployment.remove()
    },
  }
}

type Hear = (reply: HttpResponse) => void

/** The third logs all it can: what must not be in a log must not be in the most talkative one either. */
async function startProcesses(
  deployment: Deployment,
  hear: Hear,
): Promise<[HttpClient, HttpClient, HttpClient]> {
  const deaf = {
    NATS_URL: `nats://nobody:${randomBytes(12).toString('hex')}@127.0.0.1:${await freePort()}`,
    LOG_LEVEL: 'trace',
  }
  const [one, two, three] = await Promise.all([
    deployment.startApi(),
    deployment.startApi(),
    deployment.startApi(deaf),
  ])
  return [createHttpClient(one.url, hear), createHttpClient(two.url, hear), createHttpClient(three.url, hear)]
}

function collect({ keys, errorBodies, showings }: Evidence, { status, headers, text }: HttpResponse): void {
  if (status >= 400) errorBodies.push(text)
  const [, key] = /"api_key":"([^"]+)"/.exec(text) ?? []
  if (key === undefined) return
  keys.add(key)
  showings.push({ noStore: headers.get('cache-control') === 'no-store' })
}

/** A text that stands for content and is found again wherever it turns up. */
export function canary(what: string, { contentMark }: Evidence): string {
  return `canary-${what}-${contentMark}-${randomBytes(8).toString('hex')}`
}

/** A text that must not be stored as it is, either. */
export function sealedCanary(what: string, evidence: Evidence): string {
  return canary(`${what}-${evidence.sealedMark}`, evidence)
}
