import { describe, expect, it } from 'vitest'
import { freePort, waitUntil } from '@concord/tools/launch'
import { bearer, startTestApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { acceptOne, newDocument } from '../support/documents.ts'
import { makeRootKey, makeScope, makeTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { asRole } from '../support/sessions.ts'
import { openConnection } from '../support/sockets.ts'

const database = useDatabase()
const pools = usePools(database)

/** The message of a failed start together with that of its cause. */
async function failureOf(starting: Promise<unknown>): Promise<string> {
  return starting.then(
    () => 'it started',
    (error: unknown) => (error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error)),
  )
}

describe('a fresh deployment', () => {
  it('answers 503 on /admin and /internals until the first root key exists, with the command to create it', async () => {
    const api = await startTestApi(database())
    for (const path of ['/admin/tenants', '/internals/health']) {
      const { status, body } = await api.call(path)
      expect([status, body['code']]).toEqual([503, 'no_root_key'])
      expect(body['detail']).toContain('concord keys create')
    }
    const { key } = await makeRootKey(pools(), 'internals')
    const { body } = await api.call('/admin/tenants')
    expect(body['code']).toBe('credential_missing')
    expect((await api.call('/internals/health', { headers: bearer(key) })).status).toBe(200)
    await api.stop()
  })
})

describe('a running API', () => {
  it('is alive and ready, and reports which of its parts answer', async () => {
    const api = await startTestApi(database())
    expect((await api.call('/livez')).body).toEqual({ status: 'ok' })
    await waitUntil(async () => (await api.call('/readyz')).body['status'] === 'ok', {
      what: 'all parts answering',
    })
    const { body } = await api.call('/readyz')
    expect(body['checks']).toEqual([
      expect.objectContaining({ name: 'database', ok: true, required: true }),
      expect.objectContaining({ name: 'broker', ok: true, required: false }),
      expect.objectContaining({ name: 'work', ok: true, required: false }),
    ])
    await api.stop()
  })

  it('continues to serve while accepted work makes no progress, and reports that it is degraded', async () => {
    const api = await startTestApi(database())
    const tenant = await makeTenant(pools())
    await makeScope(pools(), tenant, 'default')
    await acceptOne(pools().tenant, newDocument(tenant))
    await waitUntil(async () => (await api.call('/readyz')).body['status'] === 'degraded', {
      what: 'noticing that nobody is there to read it',
      withinMs: 20_000,
    })
    const { status, body } = await api.call('/readyz')
    expect(status).toBe(200)
    expect(body['checks']).toContainEqual(expect.objectContaining({ name: 'work', ok: false }))
    await api.stop()
  }, 30_000)

  it('starts and serves without a broker, and reports that it is degraded', async () => {
    const api = await startTestApi(database(), { NATS_URL: `nats://127.0.0.1:${await freePort()}` })
    const { key } = await makeTenant(pools())
    expect((await api.call('/readyz')).status).toBe(200)
    expect((await api.call('/readyz')).body['status']).toBe('degraded')
    expect((await api.call('/api/scopes', { headers: bearer(key) })).status).toBe(200)
    await api.stop()
  })

  it('notes the use of keys by the time it has stopped', async () => {
    const api = await startTestApi(database())
    const { key, keyId } = await makeTenant(pools())
    await api.call('/api/scopes', { headers: bearer(key) })
    await api.stop()
    const { rows } = await asRole(database(), 'registrar', (client) =>
      client.query('select last_used_at is not null as used from keys where key_id = $1', [keyId]),
    )
    expect(rows).toEqual([{ used: true }])
  })

  it('can be stopped twice, and is then gone', async () => {
    const api = await startTestApi(database())
    await Promise.all([api.stop(), api.stop()])
    await expect(fetch(`${api.address}/livez`)).rejects.toThrow('fetch failed')
  })
})

describe('an API that is stopping', () => {
  it('reports it, and continues to serve until load balancers can notice', async () => {
    const api = await startTestApi(database(), { DRAIN_NOTICE_SECONDS: '2' })
    const { key } = await makeTenant(pools())
    const request = `GET /api/scopes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    const kept = await openConnection(api.address)
    kept.send(request)
    expect((await kept.answers(1))[0]).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } })
    const stopping = api.stop()
    await waitUntil(async () => (await api.call('/readyz')).status === 503, { what: 'readiness turning red' })
    // Over the connection that was open, and over a new one.
    kept.send(request)
    const [, last] = await kept.untilClosed()
    expect(last).toMatchObject({ status: 200, headers: { connection: 'close' } })
    expect((await api.call('/api/scopes', { headers: bearer(key) })).status).toBe(200)
    await stopping
    await expect(fetch(`${api.address}/livez`)).rejects.toThrow('fetch failed')
  })
})

describe('an API that cannot be safe', () => {
  it('does not start as the owner of the tables', async () => {
    const failure = await failureOf(startTestApi(database(), { DATABASE_URL: database().url('owner') }))
    expect(failure).toContain('not safe to serve')
    expect(failure).toContain('concord_owner owns tables')
  })

  it('does not start on an unprotected table', async () => {
    await asRole(database(), 'owner', (client) => client.query('create table loose (tenant_id uuid)'))
    const failure = await failureOf(startTestApi(database()))
    await asRole(database(), 'owner', (client) => client.query('drop table loose'))
    expect(failure).toContain('table loose is not protected')
  })

  it('does not start without its database', async () => {
    const url = new URL(database().url('api'))
    url.port = String(await freePort())
    expect(await failureOf(startTestApi(database(), { DATABASE_URL: url.href }))).toContain('ECONNREFUSED')
  })

  it('does not start on a port that is taken, and leaves no connection behind', async () => {
    const api = await startTestApi(database())
    const { port } = new URL(api.address)
    expect(await failureOf(startTestApi(database(), { PORT: port }))).toContain('EADDRINUSE')
    await api.stop()
  })
})
