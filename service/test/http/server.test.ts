import { beforeAll, afterAll, describe, expect, it } from 'vitest'
import { freePort } from '@concord/tools/launch'
import { openPools } from '../../src/store/pools.ts'
import { pingDatabase } from '../../src/store/ping.ts'
import { useDatabase } from '../support/database.ts'
import { silentLog } from '../support/log.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { codeOf } from '../support/problem.ts'
import { openProxy } from '../support/proxy.ts'
import { buildServer, useServer } from '../support/server.ts'
import type { TestHttpServer } from '../support/server.ts'
import { openConnection } from '../support/sockets.ts'

const database = useDatabase()
const pools = usePools(database)
const routes = [
  madeUpRoute({ path: '/thing' }),
  madeUpRoute({ path: '/things', method: 'POST' }),
  madeUpRoute({ path: '/api/own', tier: 'public' }, 'tenant'),
  madeUpRoute({ path: '/admin/own', tier: 'admin' }, 'platform'),
]
const service = useServer(pools, routes)
let address = ''

beforeAll(async () => {
  address = await service().server.listen({ host: '127.0.0.1', port: 0 })
})

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const get = (url: string, headers: Record<string, string> = {}) => service().server.inject({ url, headers })

describe('the request id', () => {
  it('is the one that was sent, in the header, the problem and the log', async () => {
    const reply = await get('/nowhere', { 'x-request-id': 'trace-me:1' })
    expect(codeOf(reply)).toBe('not_found')
    expect(reply.headers['x-request-id']).toBe('trace-me:1')
    expect(reply.json()).toMatchObject({
      request_id: 'trace-me:1',
      instance: 'urn:concord:request:trace-me:1',
    })
    expect(
      service()
        .log.lines()
        .filter((line) => line['request_id'] === 'trace-me:1'),
    ).not.toEqual([])
  })

  it('is made when none was sent, or one that cannot be logged as it is', async () => {
    for (const headers of [{}, { 'x-request-id': 'a b' }, { 'x-request-id': 'x'.repeat(129) }])
      expect((await get('/thing', headers)).headers['x-request-id']).toMatch(UUID)
  })

  it('is on every answer', async () => {
    const urls = ['/thing', '/nowhere', '/thing?%zz', '/%zz', '/api/own']
    const ids = await Promise.all(urls.map(async (url) => (await get(url)).headers['x-request-id']))
    expect(ids).toEqual(urls.map(() => expect.stringMatching(UUID)))
  })
})

describe('a path that nobody serves', () => {
  it.each(['/nowhere', '/thing/', '//thing', '/THING', '/thing/%2e%2e', '/', '/thing%2f', '/docs/'])(
    '%s is a 404',
    async (url) => {
      expect(codeOf(await get(url))).toBe('not_found')
    },
  )

  it.each(['//', '///', '//[', '//:', '//%00', '/\\', '//thing:99999'])(
    '%s is a 404 and no failure of ours',
    async (url) => {
      const connection = await openConnection(address)
      connection.send(`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      const [answer] = await connection.answers(1)
      expect(answer).toMatchObject({
        status: 404,
        headers: { 'content-type': 'application/problem+json; charset=utf-8' },
      })
    },
  )

  it.each(['/%zz', '/%', '/thing%ff%'])('%s, which cannot be decoded, is a 400', async (url) => {
    expect(codeOf(await get(url))).toBe('malformed_request')
  })
})

describe('a method that a path does not take', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
    '%s is a 405 that says which it takes',
    async (method) => {
      const reply = await service().server.inject({ method, url: '/thing' })
      expect(reply.statusCode).toBe(405)
      expect(reply.headers['allow']).toBe('GET, HEAD')
    },
  )

  it('cannot be smuggled in by a header', async () => {
    const headers = { 'x-http-method-override': 'POST', 'x-method-override': 'POST' }
    expect(codeOf(await get('/things', headers))).toBe('method_not_allowed')
  })
})

describe('headers', () => {
  it.each(['Authorization', 'X-Tenant-ID', 'X-Tenant-API-Key', 'Content-Type'])(
    '%s sent twice is refused, even when both say the same',
    async (name) => {
      const connection = await openConnection(address)
      connection.send(
        `GET /thing HTTP/1.1\r\nHost: x\r\n${name}: a\r\n${name}: a\r\nConnection: close\r\n\r\n`,
      )
      const [answer] = await connection.answers(1)
      expect(answer?.status).toBe(400)
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'duplicate_header' })
    },
  )

  it('tell nothing about what we are made of, and forbid guessing types', async () => {
    const { headers } = await get('/thing')
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['server', 'x-powered-by']))
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('time limits', () => {
  it('are set for headers and for the whole request, so that no slow sender holds a connection', () => {
    const { requestTimeout, headersTimeout } = service().server.server
    expect({ requestTimeout, headersTimeout }).toEqual({ requestTimeout: 60_000, headersTimeout: 10_000 })
  })
})

describe('the log', () => {
  it('has one line a request, with the operation instead of the address', async () => {
    const { admin } = service()
    await get('/admin/own?secret=canary-query', {
      authorization: `Bearer ${admin}`,
      'x-request-id': 'logged',
    })
    const lines = service()
      .log.lines()
      .filter((line) => line['request_id'] === 'logged')
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'request',
        operation: 'madeUp',
        status: 200,
        actor: admin.slice(0, 15),
        ms: expect.any(Number),
      }),
    ])
  })

  it('never holds a key, a query or a body', async () => {
    const { admin, tenant, server, log } = service()
    const headers = {
      authorization: `Bearer ${admin}`,
      'x-tenant-api-key': tenant.key,
      'x-request-id': 'canary',
    }
    for (const url of ['/admin/own', '/api/own', '/nowhere', '/%zz', '/thing?q=canary-query'])
      await server.inject({ url, headers })
    const payload = '{"text":"canary-text"}'
    await server.inject({
      method: 'POST',
      url: '/things',
      headers: { ...headers, 'content-type': 'application/json' },
      payload,
    })
    expect(log.text()).not.toContain(admin.slice(16))
    expect(log.text()).not.toContain(tenant.key.slice(16))
    expect(log.text()).not.toContain('canary-')
  })
})

describe('while the database is gone', () => {
  let away: TestHttpServer
  let close: () => Promise<void>

  beforeAll(async () => {
    const url = new URL(database().url('api'))
    url.port = String(await freePort())
    const broken = openPools({ url: url.href, size: 1, log: silentLog })
    away = buildServer(broken, routes)
    close = async () => {
      await away.close()
      await broken.close()
    }
  })
  afterAll(() => close())

  it.each(['/api/own', '/admin/own'])('%s is a 503 that says when to try again', async (url) => {
    const key = url.startsWith('/api') ? service().tenant.key : service().admin
    const reply = await away.inject({ url, headers: { authorization: `Bearer ${key}` } })
    expect(codeOf(reply)).toBe('unavailable')
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('what needs no database is answered as ever', async () => {
    expect((await away.inject('/thing')).statusCode).toBe(200)
    expect(codeOf(await away.inject('/api/own'))).toBe('credential_missing')
  })
})

describe('when the database connection breaks under a request', () => {
  it.each(['reset', 'end'] as const)(
    'by %s, the answer is a 503 and never the fault of the caller',
    async (manner) => {
      const proxy = await openProxy(database().services.postgres)
      const url = new URL(database().url('api'))
      url.port = String(proxy.port)
      const own = openPools({ url: url.href, size: 1, log: silentLog })
      const route = madeUpRoute({ path: '/slow' }, 'none', async () => {
        const asking = own.tenant.query('select pg_sleep(1)')
        await pingDatabase(pools().tenant)
        proxy[manner]()
        await asking
        return { status: 200, body: {} }
      })
      await pingDatabase(own.tenant)
      const server = buildServer(pools(), [route])
      expect(codeOf(await server.inject('/slow'))).toBe('unavailable')
      await Promise.all([server.close(), own.close()])
      await proxy.close()
    },
  )
})
