/** Each operation is sent to its address with the credentials of its tier, and with no others. */
import { describe, expect, it } from 'vitest'
import { ConcordError, createClient, CredentialMissing } from '../src/index.ts'
import { json, serve } from './support/scripted-server.ts'

const keys = {
  tenantId: 'tenant-id',
  tenantKey: 'tenant-key',
  adminKey: 'admin-key',
  internalsKey: 'internals-key',
}

describe('the address', () => {
  it('is refused without a scheme, with one to write', () => {
    expect(() => createClient({ baseUrl: 'localhost:8282' })).toThrow('write http://localhost:8282 or')
  })

  it('is refused with a password in it, which is not quoted', () => {
    const baseUrl = Object.assign(new URL('https://concord.example.com'), {
      username: 'ada',
      password: 'secret',
    }).href
    expect(baseUrl).toContain('secret')
    const make = () => createClient({ baseUrl })
    expect(make).toThrow(/^(?!.*secret).*baseUrl has a user name or password/)
  })

  it.each(['', '/concord', 'https://concord.example.com'])('may be "%s"', (baseUrl) => {
    expect(() => createClient({ baseUrl })).not.toThrow()
  })
})

describe('credentials', () => {
  it.each([
    ['the public tier', 'listOwnScopes', { authorization: 'Bearer tenant-key', 'x-tenant-id': 'tenant-id' }],
    ['the admin tier', 'listTenants', { authorization: 'Bearer admin-key' }],
    [
      'the admin tier, with the data of a tenant',
      'listScopes',
      { authorization: 'Bearer admin-key', 'x-tenant-api-key': 'tenant-key' },
    ],
    ['the internals tier', 'getKernelHealth', { authorization: 'Bearer internals-key' }],
    ['a switch of the whole service', 'pauseRuntime', { authorization: 'Bearer admin-key' }],
    ['nobody', 'getLiveness', {}],
  ] as const)('are those of %s', async (_, name, wanted) => {
    const server = await serve(json(200, { items: [], next_cursor: null }))
    await createClient({ baseUrl: server.url, ...keys })[name]()
    const { authorization, 'x-tenant-id': id, 'x-tenant-api-key': key } = server.asked[0]?.headers ?? {}
    const sent = { authorization, 'x-tenant-id': id, 'x-tenant-api-key': key }
    expect(sent).toEqual({
      authorization: undefined,
      'x-tenant-id': undefined,
      'x-tenant-api-key': undefined,
      ...wanted,
    })
  })

  it('of the tenant go with the switch of one scope', async () => {
    const server = await serve(json(200, {}))
    await createClient({ baseUrl: server.url, ...keys }).pauseRuntime({ scope_id: 'first-case' })
    expect(server.asked[0]?.headers['x-tenant-api-key']).toBe('tenant-key')
  })

  it('that are missing are named, and nothing is sent', async () => {
    const server = await serve(json(200, {}))
    const concord = createClient({ baseUrl: server.url, tenantKey: 'key' })
    await expect(concord.listTenants()).rejects.toThrow('adminKey')
    await expect(concord.listTenants()).rejects.toBeInstanceOf(CredentialMissing)
    await expect(concord.ingestDocument({ scope_id: 'a', name: 'b', text: 'c' })).rejects.toThrow('tenantId')
    expect(server.asked).toHaveLength(0)
  })

  it('that cannot be sent are refused at once, and not quoted', async () => {
    const server = await serve(json(200, { items: [], next_cursor: null }))
    for (const tenantKey of ['ck_t_secret\nsecret', 'ck_t_secret…']) {
      const call = createClient({ baseUrl: server.url, tenantId: 'tenant-id', tenantKey }).listOwnScopes()
      await expect(call).rejects.toBeInstanceOf(ConcordError)
      await expect(call).rejects.toThrow(/^(?!.*secret).*The header authorization cannot be sent/s)
    }
    const padded = createClient({ baseUrl: server.url, tenantId: 'tenant-id', tenantKey: 'key\n' })
    await padded.listOwnScopes()
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer key'])
  })

  it('may be an internals key where an admin key is asked for, and the id alone behind a gateway', async () => {
    const server = await serve(json(200, { items: [], next_cursor: null }))
    await createClient({ baseUrl: server.url, internalsKey: 'root' }).listTenants()
    await createClient({
      baseUrl: server.url,
      tenantId: 'tenant-id',
      headers: { 'x-signature': 's' },
    }).listOwnScopes()
    expect(server.asked[0]?.headers.authorization).toBe('Bearer root')
    expect(server.asked[1]?.headers).toMatchObject({ 'x-tenant-id': 'tenant-id', 'x-signature': 's' })
    expect(server.asked[1]?.headers.authorization).toBeUndefined()
  })
})

describe('an address', () => {
  it('carries what the path names, encoded, then the query; the rest is the body', async () => {
    const server = await serve(json(200, {}))
    const concord = createClient({ baseUrl: `${server.url}/prefix/`, ...keys })
    await concord.getDocument({ scopeId: 'first-case', documentId: 'a/b ü?' })
    await concord.listDocuments({ scopeId: 'first-case', status: 'failed', limit: 5 })
    await concord.listDocuments({ scopeId: 'first-case', status: ['failed', 'held'] })
    await concord.rotateTenantKey({ tenantId: 't', keyId: 'k', overlap_seconds: 0 }).catch(() => undefined)
    expect(server.asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/prefix/api/scopes/first-case/documents/a%2Fb%20%C3%BC%3F', ''],
      ['GET', '/prefix/api/scopes/first-case/documents?status=failed&limit=5', ''],
      ['GET', '/prefix/api/scopes/first-case/documents?status=failed%2Cheld', ''],
      ['POST', '/prefix/admin/tenants/t/keys/k/rotate', '{"overlap_seconds":0}'],
    ])
  })

  it.each(['.', '..'])('with the part "%s", which a URL drops, is not called', async (part) => {
    const server = await serve(json(200, {}))
    const concord = createClient({ baseUrl: server.url, ...keys })
    await expect(concord.removeDocument({ scopeId: 'first-case', documentId: part })).rejects.toThrow(
      'no path can name',
    )
    await expect(concord.deleteScope({ scopeId: part })).rejects.toThrow('no path can name')
    expect(server.asked).toEqual([])
  })

  it('that lacks a part is refused before anything is sent', async () => {
    const concord = createClient({ baseUrl: 'http://127.0.0.1:1', ...keys })
    await expect(concord.getOwnScope({ scopeId: '' })).rejects.toThrow('Pass scopeId')
  })
})

describe('a list', () => {
  it('is asked for page after page, and no further than it is read', async () => {
    const page = (items: number[], next: string | null) => json(200, { items, next_cursor: next })
    const server = await serve(page([1, 2], 'c1'), page([3], 'c2'), page([4], null))
    const concord = createClient({ baseUrl: server.url, ...keys })
    const items: unknown[] = []
    for await (const item of concord.listTenants.all()) items.push(item)
    expect(items).toEqual([1, 2, 3, 4])
    expect(server.asked.map(({ path }) => path.split('?')[1])).toEqual([
      'limit=100',
      'limit=100&cursor=c1',
      'limit=100&cursor=c2',
    ])
    const again = await serve(page([1, 2], 'c1'))
    for await (const _ of createClient({ baseUrl: again.url, ...keys }).listTenants.all({ limit: 2 })) break
    expect(again.asked).toHaveLength(1)
  })
})
