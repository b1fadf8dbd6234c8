/** Creations under an Idempotency-Key, over two API processes that share one database. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bearer, jsonBody, startTestApi } from '../support/api.ts'
import type { ApiAnswer, TestApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { makeRootKey, makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
let apis: readonly TestApi[]
let admin: string
let tenant: TestTenant

beforeAll(async () => {
  admin = (await makeRootKey(pools(), 'admin')).key
  apis = await Promise.all([startTestApi(database()), startTestApi(database())])
})
beforeEach(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})
afterAll(async () => {
  await Promise.all(apis.map((api) => api.stop()))
})

let turn = 0
function post(path: string, body: unknown, key?: string, more = {}): Promise<ApiAnswer> {
  turn += 1
  const { headers, ...rest } = jsonBody(body)
  const own = path.startsWith('/admin')
    ? { ...bearer(admin), 'x-tenant-api-key': tenant.key }
    : { ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId }
  const all = { ...headers, ...own, ...(key !== undefined && { 'idempotency-key': key }), ...more }
  const api = apis[turn % apis.length]
  if (!api) throw new Error('no API runs')
  return api.call(path, { ...rest, headers: all })
}

const document = { scope_id: 'default', name: 'Report', text: 'the words' }
async function count(table: string): Promise<number> {
  const rows = await look<{ n: number }>(
    database(),
    `select count(*)::int n from ${table} where tenant_id = $1`,
    [tenant.tenantId],
  )
  return rows[0]?.n ?? 0
}
const replayed = ({ headers }: ApiAnswer) => headers.get('idempotency-replayed')

describe('a creation under an Idempotency-Key', () => {
  it.each([
    ['/api/documents', document, 'documents'],
    ['/admin/scopes/default/documents', { name: 'Report', text: 'the words' }, 'documents'],
    [
      '/api/contradictions',
      { scope_id: 'default', claim_a: 'A', source_a: 'x', claim_b: 'B', source_b: 'y', severity: 'low' },
      'contradictions',
    ],
    ['/api/scopes', { scope_id: 'second' }, 'scopes'],
    ['/admin/scopes', { scope_id: 'second' }, 'scopes'],
    ['/api/scopes/default/reread', {}, 'rereads'],
  ])('%s is done once of twenty at once, and each is given the same answer', async (path, body, table) => {
    const before = await count(table)
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, body, 'one')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter((each) => replayed(each) === null)).toHaveLength(1)
    expect(answers[0]?.status).toBeLessThan(300)
    expect(await count(table)).toBe(before + 1)
    expect(await count('idempotency_keys')).toBe(1)
  })

  it('gets the first response byte for byte, even after the created record has changed', async () => {
    const first = await post('/api/documents', document, 'one')
    const id = String(first.body['document_id'])
    await post('/api/ingest', { ...document, document_id: id })
    const again = await post('/api/documents', document, 'one')
    expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, 'true'])
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
  })

  it('refuses another request of any operation, without an effect', async () => {
    await post('/api/documents', document, 'one')
    const others = [
      await post('/api/documents', { ...document, name: 'Other' }, 'one'),
      await post('/api/ingest', document, 'one'),
      await post('/api/scopes', { scope_id: 'second' }, 'one'),
    ]
    expect(others.map(({ status, body }) => [status, body['code']])).toEqual(
      others.map(() => [422, 'idempotency_key_reused']),
    )
    await post('/api/ingest', { ...document, name: 'Sent' }, 'two')
    const crossed = await post('/api/documents', { ...document, name: 'Sent' }, 'two')
    expect(crossed.body['code']).toBe('idempotency_key_reused')
    expect([await count('documents'), await count('scopes')]).toEqual([2, 1])
  })

  it('does not store a refusal', async () => {
    expect((await post('/api/documents', { ...document, scope_id: 'unknown' }, 'one')).status).toBe(404)
    expect((await post('/api/documents', document, 'one')).status).toBe(201)
  })

  it('accepts one of two different requests at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        post('/api/documents', { ...document, name: `Report ${index}` }, 'one'),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 422),
    ])
    expect(await count('documents')).toBe(1)
  })

  it('stores the response sealed, and deletes it with the scope', async () => {
    await post('/api/documents', { ...document, name: 'Zephyrine' }, 'one')
    const rows = await look<{ sealed_answer: Buffer; document_id: string | null }>(
      database(),
      'select sealed_answer, document_id from idempotency_keys where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(rows).toMatchObject([{ document_id: null }])
    expect(String(rows[0]?.sealed_answer)).not.toContain('Zephyrine')
    await post('/admin/scopes/default/reset', {})
    const anew = await post('/api/documents', { ...document, name: 'Zephyrine' }, 'one')
    expect([anew.status, replayed(anew)]).toEqual([201, null])
  })

  it('has a key that is free again after 30 days', async () => {
    const first = await post('/api/documents', document, 'one')
    await look(
      database(),
      `update idempotency_keys set created_at = now() - interval '31 days' where tenant_id = $1`,
      [tenant.tenantId],
    )
    const later = await post('/api/documents', { ...document, name: 'Other' }, 'one')
    expect([later.status, replayed(later)]).toEqual([201, null])
    expect(later.body['document_id']).not.toBe(first.body['document_id'])
    expect(replayed(await post('/api/documents', { ...document, name: 'Other' }, 'one'))).toBe('true')
  })

  it('is refused if the response has a secret', async () => {
    for (const path of ['/admin/tenants', `/admin/tenants/${tenant.tenantId}/keys`]) {
      const body = path.endsWith('/keys') ? {} : { name: 'Acme' }
      const refused = await post(path, body, 'one')
      expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ code: 'not_repeatable' }]])
    }
  })
})
