/** The served routes are what the contract says is served, seen from the outside of the framework. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  allOperations,
  contractVersion,
  openApiDocument,
  problemCodes,
  servedOperations,
} from '@concord/contract'
import { bearer, jsonBody, startTestApi } from '../support/api.ts'
import type { TestApi } from '../support/api.ts'
import { createEventFeed } from '../../src/app/events/event-feed.ts'
import { createKernelHealth } from '../../src/app/health/kernel-health.ts'
import { createHatcheries } from '../../src/app/health/hatcheries.ts'
import { createPresence } from '../../src/app/health/presence.ts'
import { createBroker } from '../../src/engine/broker.ts'
import { createIngest } from '../../src/app/documents/ingest.ts'
import { createReadiness } from '../../src/app/health/readiness.ts'
import { methodsOf } from '../../src/http/methods.ts'
import { createRoutes } from '../../src/http/routes.ts'
import { useDatabase } from '../support/database.ts'
import { declaringDeps } from '../support/declaring.ts'
import { documentsDeps } from '../support/documents.ts'
import { silentLog } from '../support/log.ts'
import { masterKeys, pepper } from '../support/people.ts'
import { policyEngine } from '../support/policies.ts'
import { usePools } from '../support/pools.ts'
import { buildServer, makePeople } from '../support/server.ts'
import type { People, TestHttpServer } from '../support/server.ts'

const database = useDatabase()
const pools = usePools(database)
let api: TestApi
let server: TestHttpServer
let people: People

beforeAll(async () => {
  people = await makePeople(pools())
  api = await startTestApi(database(), { PUBLIC_URL: 'https://concord.example/' })
  const deps = documentsDeps(pools())
  const presence = createPresence(() => performance.now())
  const hatcheries = createHatcheries(() => performance.now())
  const routes = createRoutes({
    ...declaringDeps(pools()),
    ...deps,
    policyEngine,
    version: '0.0.0',
    publicUrl: '',
    ingest: createIngest({ ...deps, pool: pools().tenant }),
    extract: async () => ({ fault: 'no_text' }),
    feed: createEventFeed({ pools: pools(), log: silentLog }),
    readiness: createReadiness([], () => 0),
    pepper,
    masterKeys,
    authMode: 'key',
    announceKeyChange: () => undefined,
    announceRuntime: () => undefined,
    snapshot: { presence, hatcheries, meter: { read: () => undefined } },
    kernelHealth: createKernelHealth({
      kernel: pools().kernel,
      broker: createBroker('nats://127.0.0.1:1', silentLog),
      workSubjects: ['concord.work'],
      presence,
      hatcheries,
      migrations: [],
      monotonicMs: () => performance.now(),
    }),
  })
  server = buildServer(pools(), routes)
  await server.ready()
})
afterAll(async () => {
  await Promise.all([api.stop(), server.close()])
})

/** Every "METHOD /path" the framework would answer, read from its own picture of its routes. */
function mounted(): string[] {
  const found: string[] = []
  const stack: string[] = []
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods] = /^([│ ]*)[├└]── (\S*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (part === '' && methods === undefined) continue
    stack.splice(indent.length / 4)
    stack.push(part)
    for (const method of methods?.split(', ') ?? []) found.push(`${method} ${stack.join('')}`)
  }
  return found
}

describe('the mounted routes', () => {
  it('are exactly the served operations and their aliases, besides the assets of the reference', () => {
    const served = servedOperations.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases.map((alias) => alias.path)].flatMap((each) =>
        methodsOf(method).map((one) => `${one} ${each.replaceAll(/\{(\w+)\}/g, ':$1')}`),
      ),
    )
    const others = mounted().filter((route) => !/^(?:GET|HEAD) \/docs\/assets(?:\/|$)/.test(route))
    expect(others.toSorted()).toEqual(served.toSorted())
  })

  it('do not include what is only designed', async () => {
    const paths = new Set(servedOperations.map(({ path }) => path))
    const designed = allOperations.filter(({ served, path }) => !served && !paths.has(path))
    const statuses = await Promise.all(
      designed.map(async ({ method, path }) => {
        const url = path.replaceAll(/\{\w+\}/g, 'x')
        return (await server.inject({ method, url, headers: bearer(people.internals) })).statusCode
      }),
    )
    expect(statuses.filter((status) => status !== 404 && status !== 405)).toEqual([])
  })
})

describe('the document', () => {
  it('that is served is the one of the contract', async () => {
    const { body } = await api.call('/openapi.json')
    const expected: unknown = JSON.parse(
      JSON.stringify(openApiDocument(servedOperations, { version: contractVersion })),
    )
    expect(body).toEqual(expected)
  })

  it('is shown to people by a page that loads nothing from elsewhere', async () => {
    const { status, headers, text } = await api.call('/docs')
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const sources = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '')
    expect(sources).not.toEqual([])
    expect(sources.filter((source) => !/^\/(?!\/)/.test(source))).toEqual([])
    const statuses = await Promise.all(sources.map(async (source) => (await api.call(source)).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it.each(problemCodes)('is completed by a page on %s', async (code) => {
    const { status, body } = await api.call(`/problems/${code}`)
    expect([status, body['code']]).toEqual([200, code])
  })

  it('explains no code that does not exist, not even one that every object has', async () => {
    for (const code of ['nonsense', 'constructor', 'to_string', '__proto__'])
      expect([404, 422]).toContain((await api.call(`/problems/${code}`)).status)
  })
})

describe('a problem', () => {
  it('has a type that leads to its explanation at the public address', async () => {
    const { body } = await api.call('/nowhere')
    expect(body['type']).toBe('https://concord.example/problems/not_found')
  })
})

describe('what is created', () => {
  it('is found where its Location says, and a key is kept by no cache', async () => {
    const asAdmin = (init: { method?: string; headers?: Record<string, string>; body?: string } = {}) => ({
      ...init,
      headers: { ...init.headers, ...bearer(people.admin) },
    })
    const tenant = await api.call('/admin/tenants', asAdmin(jsonBody({ name: 'New' })))
    expect([tenant.status, tenant.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const at = tenant.headers.get('location') ?? ''
    expect((await api.call(at, asAdmin())).body).toMatchObject({
      name: 'New',
      tenant_id: tenant.body['tenant_id'],
    })

    const key = await api.call(`${at}/keys`, asAdmin(jsonBody({ name: 'job' })))
    expect([key.status, key.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const keyAt = key.headers.get('location') ?? ''
    expect((await api.call(keyAt, asAdmin())).body).toMatchObject({
      name: 'job',
      status: 'live',
      last_used_at: null,
    })

    const rotated = await api.call(`${keyAt}/rotate`, asAdmin({ method: 'POST' }))
    expect([rotated.status, rotated.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(rotated.body).toMatchObject({ replaces: key.body['key_id'] })
    const newAt = rotated.headers.get('location') ?? ''
    expect((await api.call(newAt, asAdmin())).body).toMatchObject({ status: 'live' })

    expect((await api.call(`${keyAt}/revoke`, asAdmin({ method: 'POST' }))).body).toMatchObject({
      status: 'revoked',
    })
  })

  it('is a scope that its tenant finds where the Location says', async () => {
    const { headers, ...rest } = jsonBody({ scope_id: 'made-here', display_name: 'Case' })
    const init = {
      ...rest,
      headers: { ...headers, ...bearer(people.admin), 'x-tenant-api-key': people.tenant.key },
    }
    const made = await api.call('/admin/scopes', init)
    expect(made.status).toBe(201)
    const found = await api.call(made.headers.get('location') ?? '', { headers: bearer(people.tenant.key) })
    expect(found.body).toMatchObject(made.body)
    expect((await api.call('/admin/scopes', init)).body).toMatchObject({ code: 'scope_exists' })
  })

  it.each(['2020-01-01T00:00:00.000Z', '1970-01-01T00:00:00Z'])(
    'is no key that is born expired: %s',
    async (instant) => {
      const { headers, ...rest } = jsonBody({ expires_at: instant })
      const path = `/admin/tenants/${people.tenant.tenantId}/keys`
      const { status, body } = await api.call(path, {
        ...rest,
        headers: { ...headers, ...bearer(people.admin) },
      })
      expect(status).toBe(422)
      expect(body).toMatchObject({ errors: [{ pointer: '#/expires_at', code: 'not_in_future' }] })
    },
  )
})

describe('a list', () => {
  it('with a cursor that was not made here is a 422, never a failure of ours', async () => {
    const cursors = [['2026-99-99 99:99:99+00', people.tenant.tenantId], ['x', 'y'], []]
    const statuses = await Promise.all(
      cursors.map(async (parts) => {
        const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url')
        return (await api.call(`/admin/tenants?cursor=${cursor}`, { headers: bearer(people.admin) })).status
      }),
    )
    expect(statuses).toEqual([422, 422, 422])
  })
})
