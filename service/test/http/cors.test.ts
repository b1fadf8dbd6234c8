import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { codeOf } from '../support/problem.ts'
import { buildServer } from '../support/server.ts'
import type { TestHttpServer } from '../support/server.ts'

const database = useDatabase()
const pools = usePools(database)
const routes = [
  madeUpRoute({ path: '/things/{id}' }),
  madeUpRoute({ path: '/things/{id}', method: 'DELETE' }),
  madeUpRoute({ path: '/admin/own', tier: 'admin' }, 'platform'),
]

const FRIEND = 'https://app.example.com'
const STRANGER = 'https://elsewhere.example'
const open: TestHttpServer[] = []

function serverFor(corsOrigins: readonly string[]): TestHttpServer {
  const server = buildServer(pools(), routes, undefined, undefined, { corsOrigins })
  open.push(server)
  return server
}

let server: TestHttpServer
beforeAll(() => {
  server = serverFor([FRIEND])
})
afterAll(() => Promise.all(open.map((each) => each.close())))

const preflight = (origin: string, headers: Record<string, string> = {}, url = '/things/7') =>
  server.inject({
    method: 'OPTIONS',
    url,
    headers: { origin, 'access-control-request-method': 'DELETE', ...headers },
  })

const corsOf = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

describe('a page of an allowed origin', () => {
  it('gets the allowed methods and headers', async () => {
    const reply = await preflight(FRIEND, { 'access-control-request-headers': 'authorization, x-tenant-id' })
    expect(reply.statusCode).toBe(204)
    expect(reply.payload).toBe('')
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': FRIEND,
      'access-control-allow-methods': 'DELETE, GET, HEAD',
      'access-control-allow-headers': 'authorization, x-tenant-id',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    })
  })

  it('may read responses and refusals, and their main headers', async () => {
    for (const url of ['/things/7', '/nowhere', '/admin/own']) {
      const { headers } = await server.inject({ url, headers: { origin: FRIEND } })
      expect(headers).toMatchObject({ 'access-control-allow-origin': FRIEND, vary: 'Origin' })
      expect(headers['access-control-expose-headers']).toContain('X-Request-Id')
    }
  })

  it('never gets permission to send cookies', async () => {
    const { headers } = await preflight(FRIEND)
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it('gets no value that could end a header', async () => {
    const reply = await preflight(FRIEND, { 'access-control-request-headers': 'a:b, "c"' })
    expect(reply.headers).not.toHaveProperty('access-control-allow-headers')
  })

  it('gets no preflight response for an unknown path', async () => {
    expect(codeOf(await preflight(FRIEND, {}, '/nowhere'))).toBe('not_found')
  })
})

describe('a page of another origin', () => {
  it('gets no permission, and caches keep its answer apart', async () => {
    const refused = await preflight(STRANGER)
    expect(codeOf(refused)).toBe('method_not_allowed')
    expect(corsOf(refused.headers)).toEqual({})
    const { headers } = await server.inject({ url: '/things/7', headers: { origin: STRANGER } })
    expect(corsOf(headers)).toEqual({})
    expect(headers['vary']).toBe('Origin')
  })
})

describe('without origins in the configuration', () => {
  it('no origin is allowed and no response varies by it', async () => {
    const closed = serverFor([])
    const { headers } = await closed.inject({ url: '/things/7', headers: { origin: FRIEND } })
    expect(corsOf(headers)).toEqual({})
    expect(headers).not.toHaveProperty('vary')
  })
})

describe('with * in the configuration', () => {
  it('every origin is allowed by its own name', async () => {
    const { headers } = await serverFor(['*']).inject({ url: '/things/7', headers: { origin: STRANGER } })
    expect(headers['access-control-allow-origin']).toBe(STRANGER)
  })
})
