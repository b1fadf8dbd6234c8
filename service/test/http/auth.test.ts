/** Tests which callers may enter which tier, in each of the three modes, through the whole API. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signRequest } from '../../src/app/access/gateway.ts'
import { bearer, startTestApi } from '../support/api.ts'
import type { ApiAnswer, TestApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { withAnotherSecret } from '../support/forged-key.ts'
import { makeScope } from '../support/people.ts'
import { countQueries, usePools } from '../support/pools.ts'
import { buildServer, makePeople } from '../support/server.ts'
import type { People } from '../support/server.ts'
import { madeUpRoute } from '../support/made-up.ts'

const database = useDatabase()
const pools = usePools(database)
let people: People

beforeAll(async () => {
  people = await makePeople(pools())
  await makeScope(pools(), people.tenant, 'default')
})

const outcome = ({ status, body }: ApiAnswer) => (status < 400 ? status : `${status} ${String(body['code'])}`)

function useApi(extra: Record<string, string>): () => TestApi {
  let api: TestApi | undefined
  beforeAll(async () => {
    api = await startTestApi(database(), extra)
  })
  afterAll(() => api?.stop())
  return () => {
    if (!api) throw new Error('The API exists only inside tests')
    return api
  }
}

describe('with keys', () => {
  const api = useApi({})
  const get = async (path: string, headers: Record<string, string>) =>
    outcome(await api().call(path, { headers }))

  it('a tenant key opens /api in either header, or in both', async () => {
    const { key } = people.tenant
    expect(await get('/api/scopes', bearer(key))).toBe(200)
    expect(await get('/api/scopes', { 'x-tenant-api-key': key })).toBe(200)
    expect(await get('/api/scopes', { ...bearer(key), 'x-tenant-api-key': key })).toBe(200)
    expect(await get('/api/scopes', { authorization: `bearer  ${key}` })).toBe(200)
  })

  it.each([
    ['/api/scopes', {}, 'header#/authorization'],
    ['/admin/tenants', {}, 'header#/authorization'],
    ['/admin/scopes', { authorization: 'ADMIN' }, 'header#/x-tenant-api-key'],
  ])('%s names the header that is missing', async (path, headers, pointer) => {
    const sent = 'authorization' in headers ? bearer(people.admin) : {}
    const { status, body } = await api().call(path, { headers: sent })
    expect(status).toBe(401)
    expect(body['errors']).toEqual([{ pointer, code: 'required', message: expect.stringContaining('Send') }])
  })

  it('two different tenant keys are refused, good as each of them is', async () => {
    const both = { ...bearer(people.tenant.key), 'x-tenant-api-key': people.other.key }
    expect(await get('/api/scopes', both)).toBe('400 credentials_conflict')
  })

  it.each([
    ['nothing', {}, '401 credential_missing'],
    ['a tenant id alone', { 'x-tenant-id': randomUUID() }, '401 credential_missing'],
    ['another scheme', { authorization: 'Basic eDp5' }, '401 credential_invalid'],
    ['a scheme without a key', { authorization: 'Bearer ' }, '401 credential_invalid'],
    ['an empty header', { 'x-tenant-api-key': '' }, '401 credential_invalid'],
  ])('%s does not open /api', async (_, headers, expected) => {
    expect(await get('/api/scopes', headers)).toBe(expected)
  })

  it('a refusal for want of a credential says how to send one', async () => {
    const { headers } = await api().call('/api/scopes')
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  it('X-Tenant-ID must name the tenant of the key, and a wrong one is told alike whether it exists or not', async () => {
    const as = (tenantId: string) =>
      api().call('/api/scopes', {
        headers: { ...bearer(people.tenant.key), 'x-tenant-id': tenantId, 'x-request-id': 'same' },
      })
    expect(outcome(await as(people.tenant.tenantId))).toBe(200)
    const [existing, invented] = [await as(people.other.tenantId), await as(randomUUID())]
    expect(outcome(existing)).toBe('403 tenant_mismatch')
    expect(invented.text).toBe(existing.text)
    expect((await as('nonsense')).text).toBe(existing.text)
  })

  it('each key opens its own tier, an internals key the admin tier besides, and no key another', async () => {
    const { admin, internals, tenant } = people
    const paths = ['/api/scopes', '/admin/tenants', '/internals/health']
    const matrix = await Promise.all(
      [tenant.key, admin, internals].map((key) => Promise.all(paths.map((path) => get(path, bearer(key))))),
    )
    expect(matrix).toEqual([
      [200, '403 wrong_tier', '403 wrong_tier'],
      ['403 wrong_tier', 200, '403 wrong_tier'],
      ['403 wrong_tier', 200, 200],
    ])
  })

  it('what is of a tenant needs the tenant key beside the admin key', async () => {
    const { admin, tenant } = people
    const path = '/admin/scopes'
    expect(await get(path, { ...bearer(admin), 'x-tenant-api-key': tenant.key })).toBe(200)
    expect(await get(path, bearer(admin))).toBe('401 credential_missing')
    expect(await get(path, { 'x-tenant-api-key': tenant.key })).toBe('401 credential_missing')
    expect(await get(path, { ...bearer(tenant.key), 'x-tenant-api-key': tenant.key })).toBe('403 wrong_tier')
    expect(await get(path, { ...bearer(admin), 'x-tenant-api-key': admin })).toBe('403 wrong_tier')
    const invented = withAnotherSecret(tenant.key)
    expect(await get(path, { ...bearer(admin), 'x-tenant-api-key': invented })).toBe('401 credential_invalid')
  })

  it('a scope of another tenant is answered exactly like one that does not exist', async () => {
    const read = (scope: string) =>
      api().call(`/api/scopes/${scope}`, { headers: { ...bearer(people.other.key), 'x-request-id': 'same' } })
    const [foreign, unknown] = [await read('default'), await read('nowhere')]
    expect(outcome(foreign)).toBe('404 scope_not_found')
    expect(unknown.text).toBe(foreign.text)
  })

  it('health is open to strangers and says nothing but a status', async () => {
    const { status, body } = await api().call('/api/health')
    expect([status, Object.keys(body)]).toEqual([200, ['status']])
    expect(await get('/admin/health', {})).toBe('401 credential_missing')
    expect((await api().call('/admin/health', { headers: bearer(people.internals) })).body).toMatchObject({
      tier: 'admin',
      authTier: 'internals',
    })
  })
})

describe('a key of a wrong form', () => {
  it('is refused on the admin tier, too, without a question to the database', async () => {
    const counted = countQueries(pools().registry)
    const route = madeUpRoute({ path: '/admin/own', tier: 'admin' }, 'platform')
    const server = buildServer({ ...pools(), registry: counted.pool }, [route])
    const ask = (key: string) => server.inject({ url: '/admin/own', headers: bearer(key) })
    expect((await ask(people.admin)).statusCode).toBe(200)
    const before = counted.count()
    for (let time = 0; time < 5; time += 1) expect((await ask('nonsense')).statusCode).toBe(401)
    expect(counted.count() - before).toBe(0)
    await server.close()
  })
})

describe('behind a trusted gateway', () => {
  const secret = randomBytes(32)
  const api = useApi({ AUTH_MODE: 'trusted-gateway', GATEWAY_SECRET: secret.toString('base64') })

  function signed(
    path: string,
    change: Partial<Parameters<typeof signRequest>[1]> = {},
  ): Record<string, string> {
    const request = {
      method: 'GET',
      path,
      tenantId: people.tenant.tenantId,
      bodyHash: createHash('sha256').update('').digest('hex'),
      timestamp: String(Math.floor(Date.now() / 1_000)),
      nonce: randomBytes(16).toString('hex'),
      ...change,
    }
    return {
      'x-tenant-id': request.tenantId,
      'x-gateway-content-sha256': request.bodyHash,
      'x-gateway-timestamp': request.timestamp,
      'x-gateway-nonce': request.nonce,
      'x-gateway-signature': signRequest(secret, request),
    }
  }

  const get = async (path: string, headers: Record<string, string>) =>
    outcome(await api().call(path, { headers }))

  it('a signed request acts for the tenant it names', async () => {
    expect(await get('/api/scopes/default', signed('/api/scopes/default'))).toBe(200)
    const other = signed('/api/scopes/default', { tenantId: people.other.tenantId })
    expect(await get('/api/scopes/default', other)).toBe('404 scope_not_found')
  })

  it('the query is part of what is signed', async () => {
    expect(await get('/api/scopes?limit=1', signed('/api/scopes?limit=1'))).toBe(200)
    expect(await get('/api/scopes?limit=2', signed('/api/scopes?limit=1'))).toBe(
      '401 gateway_signature_invalid',
    )
  })

  it.each(['x-gateway-signature', 'x-gateway-timestamp', 'x-gateway-nonce', 'x-gateway-content-sha256'])(
    'a request without %s is refused',
    async (name) => {
      const headers = signed('/api/scopes')
      delete headers[name]
      expect(await get('/api/scopes', headers)).toBe('401 gateway_signature_invalid')
    },
  )

  it('a request sent again is refused', async () => {
    const headers = signed('/api/scopes')
    expect(await get('/api/scopes', headers)).toBe(200)
    expect(await get('/api/scopes', headers)).toBe('401 gateway_signature_invalid')
  })

  it('a body that is not the one that was signed is refused', async () => {
    const bodyHash = createHash('sha256').update('{"a":1}').digest('hex')
    expect(await get('/api/scopes', signed('/api/scopes', { bodyHash }))).toBe(
      '401 gateway_signature_invalid',
    )
  })

  it('a tenant key alone opens nothing on /api, and /admin is opened by keys as ever', async () => {
    expect(await get('/api/scopes', bearer(people.tenant.key))).toBe('401 credential_missing')
    expect(await get('/admin/tenants', bearer(people.admin))).toBe(200)
    expect(await get('/admin/tenants', signed('/admin/tenants'))).toBe('401 credential_missing')
  })
})

describe('with the bare tenant id', () => {
  const api = useApi({ AUTH_MODE: 'insecure-tenant-id' })
  const get = async (path: string, headers: Record<string, string> = {}) =>
    outcome(await api().call(path, { headers }))

  it('the id is enough on /api, and only there', async () => {
    const headers = { 'x-tenant-id': people.tenant.tenantId }
    expect(await get('/api/scopes/default', headers)).toBe(200)
    expect(await get('/admin/scopes', headers)).toBe('401 credential_missing')
    expect(await get('/api/scopes')).toBe('401 credential_missing')
    expect(await get('/api/scopes', { 'x-tenant-id': randomUUID() })).toBe('401 credential_invalid')
  })

  it('every answer, the health and the log say so', async () => {
    const paths = ['/livez', '/api/health', '/nowhere', '/api/scopes', '/%zz']
    const marks = await Promise.all(
      paths.map(async (path) => [path, (await api().call(path)).headers.get('x-insecure-auth')]),
    )
    expect(marks).toEqual(paths.map((path) => [path, 'tenant-id-only']))
    expect((await api().call('/api/health')).body).toMatchObject({ auth_mode: 'insecure-tenant-id' })
    expect(api().log.lines()).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('insecure-tenant-id') }),
    )
  })
})
