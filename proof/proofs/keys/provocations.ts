/** Requests and starts that go wrong with a secret in hand: the moments at which careless software writes it down. */
import { randomBytes } from 'node:crypto'
import { freePort } from '@concord/tools/launch'
import { withBadChecksum, withWrongSecret } from '../../harness/forged-keys.ts'
import { provokeByDocuments } from './refused-documents.ts'
import { canary } from './stage.ts'
import type { Stage } from './stage.ts'

export interface Provocations {
  /** Marks that only a header of ours carried, in a form that tries to become a log line or a header. */
  readonly injected: readonly string[]
  /** Secrets that only ever stood in a faulty configuration. */
  readonly misplaced: readonly string[]
}

export async function provoke(stage: Stage): Promise<Provocations> {
  const injected = await provokeByRequests(stage)
  await provokeByDocuments(stage)
  const misplaced = await provokeByStarts(stage)
  return { injected, misplaced }
}

async function provokeByRequests(stage: Stage): Promise<string[]> {
  const { callers, admin, evidence } = stage
  const tenant = await stage.createTenant()
  const { key } = tenant
  const content = () => canary('content', evidence)
  const injected: string[] = []
  const injection = (before: string, behind: string) => {
    const mark = `injected-${randomBytes(8).toString('hex')}`
    injected.push(mark)
    return { 'X-Request-Id': before + mark + behind }
  }
  const scopes = { method: 'POST', path: '/admin/scopes', bearer: admin, tenantKey: key }
  for (const caller of callers) {
    // The key where it does not belong.
    await caller.send({ path: `/api/scopes/${key}`, bearer: key })
    await caller.send({ path: `/api/scopes?cursor=${key}`, bearer: key })
    await caller.send({ path: `/${key}` })
    await caller.send({ path: '/api/scopes', headers: { Authorization: key } })
    await caller.send({
      path: '/api/scopes',
      headers: { Authorization: `Basic ${key}`, 'X-Request-Id': key, Cookie: key },
    })
    await caller.send({ path: '/api/scopes', bearer: key, headers: { 'X-Tenant-ID': key } })
    // Keys that are nearly right, of the wrong tier, or two at once.
    for (const bearer of [withBadChecksum(key), withWrongSecret(key), key.slice(0, -3)]) {
      evidence.keys.add(bearer)
      await caller.send({ path: '/api/scopes', bearer })
    }
    await caller.send({ path: '/admin/tenants', bearer: key })
    await caller.send({ path: '/api/scopes', bearer: admin })
    await caller.send({ path: '/api/scopes', bearer: key, tenantKey: withWrongSecret(key) })
    // Content that is refused, at each of the places where that can happen.
    await caller.send({ ...scopes, body: { scope_id: 'twice', display_name: content() } })
    await caller.send({ ...scopes, body: { scope_id: 'twice', display_name: content() } })
    await caller.send({
      ...scopes,
      body: { scope_id: content().toUpperCase(), display_name: `${content()}\0` },
    })
    await caller.send({ ...scopes, body: { scope_id: 'long', display_name: content().repeat(50) } })
    await caller.send({ ...scopes, body: `{"scope_id":"broken","display_name":"${content()}` })
    await caller.send({ ...scopes, body: { scope_id: 'large', display_name: content().repeat(1_000) } })
    await caller.send({ method: 'POST', path: '/admin/tenants', bearer: admin, body: { name: [content()] } })
    await caller.send({
      method: 'POST',
      path: `/admin/tenants/${tenant.id}/keys`,
      bearer: admin,
      body: { name: content() },
    })
    await caller.send({ path: `/api/scopes/${content()}/${content()}?${content()}=1`, bearer: key })
    // Request ids that would like to be more than an id.
    await caller.send({ path: '/api/scopes', bearer: key, headers: injection('', '"},{"level":"fatal"') })
    await caller.send({ path: '/api/scopes', bearer: key, headers: injection('a b ', '') })
    await caller.send({ path: '/api/scopes', bearer: key, headers: injection('%0d%0aSet-Cookie:', '') })
    await caller.send({ path: '/nowhere', headers: injection('x'.repeat(200), '') })
  }
  return injected
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
