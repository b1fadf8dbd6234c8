/** A deprecated alias is the same route under another path: it admits, refuses and answers alike, and says that it will go. */
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { useDatabase } from '../support/database.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const pools = usePools(database)

const dates = { deprecatedOn: '2026-11-15', sunsetOn: '2027-05-31' }
const thing = {
  params: z.strictObject({ id: z.string().max(20) }),
  body: z.strictObject({ name: z.string().optional() }),
  bodyOptional: true,
  method: 'POST',
  answers: { 200: z.strictObject({ who: z.string(), id: z.string() }) },
} as const

const tiers = ['admin', 'internals', 'public'] as const
const routes = tiers.map((tier) =>
  madeUpRoute(
    { ...thing, tier, path: `/${tier}/things/{id}`, aliases: [{ path: `/${tier}/old/{id}`, ...dates }] },
    tier === 'public' ? 'tenant' : 'platform',
    ({ who, params }) => {
      const { id } = params as { id: string }
      if (id === 'fails') throw new Error('it fails')
      return { status: 200, body: { who: (who as { actor: string }).actor, id } }
    },
  ),
)
const service = useServer(pools, routes)

interface Attempt {
  readonly id?: string
  readonly headers?: Record<string, string | string[]>
  readonly payload?: string
}

/** The same request to the route and to its alias. */
async function askBoth(tier: (typeof tiers)[number], attempt: Attempt) {
  const ask = (path: string) =>
    service().server.inject({
      method: 'POST',
      url: `/${tier}/${path}/${attempt.id ?? '7'}`,
      headers: { 'x-request-id': 'same', ...attempt.headers },
      ...(attempt.payload !== undefined && { payload: attempt.payload }),
    })
  return { route: await ask('things'), alias: await ask('old') }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const json = { 'content-type': 'application/json' }
let keys: Record<string, Record<string, string>>

beforeAll(() => {
  const { admin, internals, tenant } = service()
  keys = {
    none: {},
    malformed: bearer('nonsense'),
    basic: { authorization: 'Basic eDp5' },
    admin: bearer(admin),
    internals: bearer(internals),
    tenant: bearer(tenant.key),
    'tenant in its own header': { 'x-tenant-api-key': tenant.key },
  }
})

const DEPRECATION = {
  deprecation: `@${Date.UTC(2026, 10, 15) / 1_000}`,
  sunset: 'Mon, 31 May 2027 00:00:00 GMT',
}

const credentials = ['none', 'malformed', 'basic', 'admin', 'internals', 'tenant', 'tenant in its own header']

describe.each(tiers)('an alias on the %s tier', (tier) => {
  it.each(credentials)('admits and refuses exactly as its route does: credential %s', async (kind) => {
    const { route, alias } = await askBoth(tier, { headers: keys[kind] ?? {} })
    expect(alias.statusCode).toBe(route.statusCode)
    expect(alias.payload).toBe(route.payload)
    expect(alias.headers).toMatchObject(DEPRECATION)
    expect(route.headers).not.toHaveProperty('deprecation')
  })

  it('admits somebody', async () => {
    const holder = { admin: 'admin', internals: 'internals', public: 'tenant' }[tier]
    expect((await askBoth(tier, { headers: keys[holder] ?? {} })).alias.statusCode).toBe(200)
  })
})

describe('an answer of an alias', () => {
  const attempts: Record<string, [status: number, attempt: Attempt]> = {
    success: [200, {}],
    'a header sent twice': [400, { headers: { 'x-tenant-id': ['a', 'b'] } }],
    'a body that is no JSON': [400, { payload: '{', headers: json }],
    'no credential': [401, { headers: { authorization: '' } }],
    'a type nobody can give': [406, { headers: { accept: 'image/png' } }],
    'a body too large': [413, { payload: JSON.stringify({ name: 'x'.repeat(20_000) }), headers: json }],
    'a compressed body': [415, { payload: '{}', headers: { ...json, 'content-encoding': 'gzip' } }],
    'a body of another type': [415, { payload: '{}', headers: { 'content-type': 'text/plain' } }],
    'a body against the schema': [422, { payload: '{"name":7}', headers: json }],
    'a parameter against the schema': [422, { id: 'x'.repeat(21) }],
    'a failure of ours': [500, { id: 'fails' }],
  }

  it.each(Object.keys(attempts))('says that the path will go, whatever the outcome: %s', async (name) => {
    const [status, attempt] = attempts[name] ?? [0, {}]
    const headers = { ...keys['admin'], ...attempt.headers }
    const { route, alias } = await askBoth('admin', { ...attempt, headers })
    expect(route.statusCode).toBe(status)
    expect(alias.statusCode).toBe(status)
    expect(alias.payload).toBe(route.payload)
    expect(alias.headers).toMatchObject({
      ...DEPRECATION,
      link: expect.stringMatching(/^<[^>]*>; rel="successor-version"$/),
    })
  })

  it('links to where the same thing is found now', async () => {
    const { alias } = await askBoth('admin', { id: 'a%20b', headers: keys['admin'] ?? {} })
    expect(alias.headers['link']).toBe('</admin/things/a%20b>; rel="successor-version"')
  })
})

describe('a wrong method at an alias', () => {
  it('is answered like a wrong method at its route', async () => {
    for (const path of ['/admin/things/7', '/admin/old/7']) {
      const reply = await service().server.inject({ method: 'DELETE', url: path })
      expect(reply.statusCode).toBe(405)
      expect(reply.headers['allow']).toBe('POST')
    }
  })
})
