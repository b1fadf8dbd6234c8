/** Requests and starts that go wrong with a secret in hand: the moments at which careless software writes it down. */
import { randomBytes } from 'node:crypto'
import { freePort } from '@concord/tools/launch'
import { withBadChecksum, withWrongSecret } from '../../harness/forged-keys.ts'
import type { HttpRequest } from '../../harness/http.ts'
import { canary, sealedCanary } from './stage.ts'
import type { Stage, KeysTenant } from './stage.ts'

/**
 * `injected` are marks that only a header carried, in a form that tries to become a log line or a header; `misplaced`
 * are secrets that only ever stood in a faulty configuration.
 */
export async function provoke(stage: Stage) {
  const tenant = await stage.createTenant()
  const scopeId = await stage.createScope(tenant)
  const injected: string[] = []
  for (const client of stage.clients) {
    const requests = [...misplacedKeys(stage, tenant), ...refusedContent(stage, tenant)]
    for (const request of [...requests, ...injections(tenant, injected)]) await client.send(request)
    for (const request of refusedDocuments(stage, tenant, scopeId)) {
      const { status, text } = await client.send(request)
      if (status < 400) throw new Error(`${request.path} was to be refused and answered ${status}: ${text}`)
    }
    await client.send(mixedBatch(stage, tenant, scopeId))
  }
  return { injected, misplaced: await provokeByStarts(stage) }
}

/** The key where it does not belong, and keys that are nearly right, of the wrong tier, or two at once. */
function misplacedKeys({ admin, evidence }: Stage, { key }: KeysTenant): HttpRequest[] {
  const path = '/api/scopes'
  const spoilt = [withBadChecksum(key), withWrongSecret(key), key.slice(0, -3)]
  for (const each of spoilt) evidence.keys.add(each)
  return [
    { path: `/api/scopes/${key}`, bearer: key },
    { path: `/api/scopes?cursor=${key}`, bearer: key },
    { path: `/${key}` },
    { path, headers: { Authorization: key } },
    { path, headers: { Authorization: `Basic ${key}`, 'X-Request-Id': key, Cookie: key } },
    { path, bearer: key, tenantId: key },
    ...spoilt.map((bearer) => ({ path, bearer })),
    { path: '/admin/tenants', bearer: key },
    { path, bearer: admin },
    { path, bearer: key, tenantKey: withWrongSecret(key) },
  ]
}

/** At each of the places where content can be refused. */
function refusedContent({ admin: bearer, evidence }: Stage, { id, key }: KeysTenant): HttpRequest[] {
  const content = () => canary('content', evidence)
  const scope = (body: unknown) => ({ path: '/admin/scopes', bearer, tenantKey: key, body })
  return [
    scope({ scope_id: 'twice', display_name: content() }),
    scope({ scope_id: 'twice', display_name: content() }),
    scope({ scope_id: content().toUpperCase(), display_name: `${content()}\0` }),
    scope({ scope_id: 'long', display_name: content().repeat(50) }),
    scope(`{"scope_id":"broken","display_name":"${content()}`),
    scope({ scope_id: 'large', display_name: content().repeat(1_000) }),
    { path: '/admin/tenants', bearer, body: { name: [content()] } },
    { path: `/admin/tenants/${id}/keys`, bearer, body: { name: content() } },
    { path: `/api/scopes/${content()}/${content()}?${content()}=1`, bearer: key },
  ]
}

/** Request ids that would like to be more than an id. */
function injections({ key: bearer }: KeysTenant, injected: string[]): HttpRequest[] {
  const headers = (before: string, behind = '') => {
    const mark = `injected-${randomBytes(8).toString('hex')}`
    injected.push(mark)
    return { 'X-Request-Id': before + mark + behind }
  }
  const path = '/api/scopes'
  return [
    { path, bearer, headers: headers('', '"},{"level":"fatal"') },
    { path, bearer, headers: headers('a b ') },
    { path, bearer, headers: headers('%0d%0aSet-Cookie:') },
    { path: '/nowhere', headers: headers('x'.repeat(200)) },
  ]
}

const LONGEST = 100_000
const LIMIT_BYTES = 1_572_864

/** At each of the places where a document can be refused: an error is when careless software quotes. */
function refusedDocuments(
  { admin, evidence }: Stage,
  { id, key }: KeysTenant,
  scope_id: string,
): HttpRequest[] {
  const content = () => sealedCanary('refused', evidence)
  const ingest = (body: unknown, more: Partial<HttpRequest> = {}): HttpRequest => {
    return { path: '/api/ingest', bearer: key, tenantId: id, body, ...more }
  }
  const document = () => ({ scope_id, name: content(), text: content() })
  const scope = `/api/scopes/${scope_id}`
  return [
    // By the schema.
    ingest({ ...document(), text: `${content()} ${'a'.repeat(LONGEST)}` }),
    ingest({ ...document(), text: `${content()}\0` }),
    ingest({ ...document(), text: [content()] }),
    ingest({ ...document(), name: '', source: content() }),
    ingest({ ...document(), type: content().repeat(5) }),
    ingest({ ...document(), unknown: content() }),
    ingest({ ...document(), idempotency_key: content() }, { headers: { 'Idempotency-Key': content() } }),
    // Before it was parsed, or while.
    ingest(`{"scope_id":"${scope_id}","name":"n","text":"${content()}`),
    ingest(`{"scope_id":"${scope_id}","name":"n","text":"${content()}","text":"${content()}"}`),
    ingest({ ...document(), text: `${content()} ${'a'.repeat(LIMIT_BYTES)}` }),
    ingest(document(), { headers: { 'Content-Type': 'text/plain' } }),
    // At the door, with the document in hand.
    ingest(document(), { tenantId: content() }),
    ingest(document(), { tenantId: undefined }),
    ingest(document(), { bearer: admin }),
    // Inside.
    ingest({ ...document(), scope_id: 'nowhere' }),
    { method: 'POST', path: `${scope}/documents/${content()}/retry`, bearer: key },
    { path: `${scope}/documents/${content()}`, bearer: key },
    { path: `${scope}/documents?status=${content()}`, bearer: key },
    { path: `${scope}/events`, bearer: key, headers: { 'Last-Event-ID': content() } },
    {
      path: `/admin/scopes/${scope_id}/ingest`,
      bearer: admin,
      tenantKey: key,
      body: { document_ids: [content()] },
    },
  ]
}

/** Refused and accepted ones in one body; each result tells of its own document, and no log of any. */
function mixedBatch({ evidence }: Stage, { key: bearer }: KeysTenant, scopeId: string): HttpRequest {
  const content = () => sealedCanary('batch', evidence)
  const scopes = [scopeId, 'nowhere', scopeId, 'nowhere']
  const documents = scopes.map((scope_id) => ({ scope_id, name: content(), text: content() }))
  return { path: '/api/ingest/batch', bearer, body: { documents } }
}

/** A process that cannot start says why; it must not say with which password. */
async function provokeByStarts({ deployment }: Stage): Promise<string[]> {
  const password = randomBytes(16).toString('hex')
  const pepper = `${randomBytes(16).toString('hex')}-not-base64-of-32-bytes`
  const faulty = [
    { DATABASE_URL: `postgres://concord_api:${password}@127.0.0.1:${await freePort()}/nowhere` },
    { DATABASE_URL: `mysql://concord_api:${password}@127.0.0.1/nowhere` },
    { KEY_PEPPER: pepper, MASTER_KEY: pepper },
  ]
  const outcomes = await Promise.allSettled(faulty.map((env) => deployment.startApi(env)))
  const started = outcomes.filter(({ status }) => status === 'fulfilled').length
  if (started > 0) throw new Error(`${started} processes started on a configuration that cannot work`)
  return [password, pepper]
}
