/** Documents over HTTP, from the first request to the last, without a worker. */
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
let api: TestApi
let admin: string
let tenant: TestTenant

beforeAll(async () => {
  admin = (await makeRootKey(pools(), 'admin')).key
  api = await startTestApi(database(), { PUBLIC_URL: 'https://concord.example' })
})
beforeEach(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})
afterAll(() => api.stop())

type Sent = Readonly<Record<string, unknown>>

function asTenant(
  path: string,
  body?: Sent,
  more: { method?: string; headers?: Record<string, string> } = {},
) {
  const { headers, ...rest } = body === undefined ? { headers: {} } : jsonBody(body)
  const own = { ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId }
  const method = more.method ?? (body === undefined ? 'GET' : 'POST')
  return api.call(path, { ...rest, method, headers: { ...headers, ...own, ...more.headers } })
}

function asAdmin(path: string, body: Sent = {}): Promise<ApiAnswer> {
  const { headers, ...rest } = jsonBody(body)
  return api.call(path, {
    ...rest,
    headers: { ...headers, ...bearer(admin), 'x-tenant-api-key': tenant.key },
  })
}

const document = (parts: Sent = {}): Sent => ({
  scope_id: 'default',
  name: 'Report',
  text: 'the words',
  ...parts,
})
const ingest = (parts: Sent = {}, headers: Record<string, string> = {}) =>
  asTenant('/api/ingest', document(parts), { headers })
const at = (documentId: string) => `/api/scopes/default/documents/${encodeURIComponent(documentId)}`
const fail = (documentId: string) =>
  look(
    database(),
    `update documents set status = 'failed', error_code = 'threw' where tenant_id = $1 and document_id = $2`,
    [tenant.tenantId, documentId],
  ).then(() =>
    look(database(), 'delete from work where tenant_id = $1 and document_id = $2', [
      tenant.tenantId,
      documentId,
    ]),
  )

describe('POST /api/ingest', () => {
  it('answers 202 with where the document stands and can be followed', async () => {
    const answer = await ingest({ document_id: 'a/b é' })
    expect([answer.status, answer.headers.get('location')]).toEqual([202, at('a/b é')])
    expect(answer.headers.get('idempotency-replayed')).toBeNull()
    expect(answer.body).toEqual({
      scope_id: 'default',
      name: 'Report',
      type: 'txt',
      document_id: 'a/b é',
      idempotency_key: null,
      queued: true,
      seq: 2,
      integration_version: 'v1',
      message: expect.any(String),
    })
    expect((await asTenant(answer.headers.get('location') ?? '')).body).toMatchObject({
      document_id: 'a/b é',
      status: 'queued',
      version: 1,
      attempt: 0,
      error: null,
    })
  })

  it('answers a repetition byte for byte like the first time, and marks it', async () => {
    const first = await ingest({ idempotency_key: 'nightly' })
    const again = await ingest({ idempotency_key: 'nightly' })
    const byHeader = await ingest({}, { 'idempotency-key': 'nightly' })
    expect(again.text).toBe(first.text)
    expect(byHeader.text).toBe(first.text)
    expect([first, again, byHeader].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([
      null,
      'true',
      'true',
    ])
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
  })

  it('refuses a key with another payload, and two keys that differ', async () => {
    await ingest({ idempotency_key: 'nightly' })
    const reused = await ingest({ idempotency_key: 'nightly', text: 'other words' })
    expect([reused.status, reused.body['code']]).toEqual([422, 'idempotency_key_reused'])
    const differing = await ingest({ idempotency_key: 'one' }, { 'idempotency-key': 'two' })
    expect([differing.status, differing.body['errors']]).toEqual([
      422,
      [expect.objectContaining({ pointer: 'header#/idempotency-key', code: 'conflicting_keys' })],
    ])
  })

  it('refuses an unknown scope, and says what to do', async () => {
    const { status, body } = await ingest({ scope_id: 'nowhere' })
    expect([status, body['code']]).toEqual([404, 'scope_not_found'])
  })

  it('takes the longest text there may be, of the widest characters', async () => {
    expect((await ingest({ text: '🎉'.repeat(100_000) })).status).toBe(202)
    expect((await ingest({ text: '🎉'.repeat(100_001) })).status).toBe(422)
  })
})

describe('POST /api/ingest/batch', () => {
  it('answers each document by itself, in order', async () => {
    await ingest({ idempotency_key: 'taken' })
    const documents = [
      document({ document_id: 'good' }),
      document({ scope_id: 'nowhere' }),
      document({ idempotency_key: 'taken', text: 'other words' }),
      document({ document_id: 'fine' }),
    ]
    const { status, body } = await asTenant('/api/ingest/batch', { documents })
    expect([status, body['accepted'], body['refused']]).toEqual([200, 2, 2])
    expect(body['results']).toEqual([
      { accepted: true, document: expect.objectContaining({ document_id: 'good', seq: 3 }) },
      {
        accepted: false,
        problem: expect.objectContaining({
          code: 'scope_not_found',
          status: 404,
          type: 'https://concord.example/problems/scope_not_found',
        }),
      },
      { accepted: false, problem: expect.objectContaining({ code: 'idempotency_key_reused' }) },
      { accepted: true, document: expect.objectContaining({ document_id: 'fine', seq: 4 }) },
    ])
  })

  it('takes a hundred, and not one more', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => document({ document_id: `d${index}` }))
    expect((await asTenant('/api/ingest/batch', { documents: many(100) })).body).toMatchObject({
      accepted: 100,
    })
    expect((await asTenant('/api/ingest/batch', { documents: many(101) })).status).toBe(422)
    expect((await asTenant('/api/ingest/batch', { documents: [] })).status).toBe(422)
  })
})

describe('documents that wait', () => {
  it('are registered by their tenant, and attached with text', async () => {
    const registered = await asTenant('/api/documents', {
      scope_id: 'default',
      name: 'Report',
      document_id: 'r',
      provenance: 'sha256:00',
    })
    expect([registered.status, registered.headers.get('location')]).toEqual([201, at('r')])
    expect(registered.body).toMatchObject({ status: 'registered', version: 0, provenance: 'sha256:00' })
    const attached = await asTenant('/api/documents', document({ document_id: 'r' }))
    expect(attached.body).toMatchObject({ status: 'attached', version: 1 })
  })

  it('are attached and triggered by the administrator, and nothing is queued twice', async () => {
    for (const id of ['a', 'b']) {
      const { status, body, headers } = await asAdmin('/admin/scopes/default/documents', {
        name: 'Report',
        text: 'words',
        document_id: id,
      })
      expect([status, body['status'], headers.get('location')]).toEqual([201, 'attached', at(id)])
    }
    expect((await asAdmin('/admin/scopes/default/ingest')).body).toEqual({
      scope_id: 'default',
      queued: 2,
      already_queued: 0,
      without_text: 0,
      first_seq: 4,
      last_seq: 5,
    })
    expect((await asAdmin('/admin/scopes/default/ingest', { document_ids: ['a'] })).body).toEqual({
      scope_id: 'default',
      queued: 0,
      already_queued: 1,
      without_text: 0,
      first_seq: null,
      last_seq: null,
    })
  })

  it('are triggered without a body at all', async () => {
    const headers = { ...bearer(admin), 'x-tenant-api-key': tenant.key }
    const { status } = await api.call('/admin/scopes/default/ingest', { method: 'POST', headers })
    expect(status).toBe(200)
  })

  it('cannot be replaced while they are on their way', async () => {
    await ingest({ document_id: 'r' })
    const { status, body } = await asTenant('/api/documents', document({ document_id: 'r', text: 'newer' }))
    expect([status, body['code']]).toEqual([409, 'illegal_transition'])
  })
})

describe('a document that is there', () => {
  it('is tried again when it failed, and at no other time', async () => {
    await ingest({ document_id: 'r' })
    const early = await asTenant(`${at('r')}/retry`, undefined, { method: 'POST' })
    expect([early.status, early.body['code']]).toEqual([409, 'illegal_transition'])
    await fail('r')
    expect((await asTenant(at('r'))).body).toMatchObject({
      status: 'failed',
      error: { code: 'threw', stage: 'read' },
    })
    const retried = await asTenant(`${at('r')}/retry`, undefined, { method: 'POST' })
    expect([retried.status, retried.headers.get('location')]).toEqual([202, at('r')])
    expect(retried.body).toEqual({ scope_id: 'default', document_id: 'r', version: 1, queued: true, seq: 3 })
  })

  it('is removed once, and what remains is the mark that it was there', async () => {
    await ingest({ document_id: 'r' })
    const removed = await asTenant(at('r'), undefined, { method: 'DELETE' })
    expect([removed.status, removed.body]).toEqual([
      200,
      { scope_id: 'default', document_id: 'r', removed: { versions: 1 }, seq: 3 },
    ])
    expect((await asTenant(at('r'))).body).toMatchObject({ status: 'removed', name: '', versions: [] })
    expect((await asTenant(at('r'), undefined, { method: 'DELETE' })).status).toBe(404)
    expect((await asTenant(`${at('r')}/retry`, undefined, { method: 'POST' })).status).toBe(404)
  })

  it('is read with a tag that spares the body while nothing changed', async () => {
    await ingest({ document_id: 'r' })
    const first = await asTenant(at('r'))
    const tag = first.headers.get('etag') ?? ''
    const again = await asTenant(at('r'), undefined, { headers: { 'if-none-match': tag } })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
    await ingest({ document_id: 'r', text: 'newer' })
    const changed = await asTenant(at('r'), undefined, { headers: { 'if-none-match': tag } })
    expect([changed.status, changed.body['version']]).toEqual([200, 2])
  })

  it('of another tenant answers exactly like one that does not exist', async () => {
    await ingest({ document_id: 'r' })
    const owner = tenant
    tenant = await makeTenant(pools())
    await makeScope(pools(), tenant, 'default')
    const attempts = [
      () => asTenant(at('r')),
      () => asTenant(at('r'), undefined, { method: 'DELETE' }),
      () => asTenant(`${at('r')}/retry`, undefined, { method: 'POST' }),
    ]
    for (const attempt of attempts) {
      const { status, body } = await attempt()
      expect([status, body['code']]).toEqual([404, 'document_not_found'])
    }
    tenant = owner
    expect((await asTenant(at('r'))).status).toBe(200)
  })

  it('is listed in the order of ids, by status on request', async () => {
    for (const id of ['b', 'a', 'c']) await ingest({ document_id: id })
    await fail('c')
    const page = await asTenant('/api/scopes/default/documents?limit=2')
    expect(page.body).toMatchObject({ items: [{ document_id: 'a' }, { document_id: 'b' }] })
    const next = await asTenant(
      `/api/scopes/default/documents?limit=2&cursor=${String(page.body['next_cursor'])}`,
    )
    expect(next.body).toMatchObject({ items: [{ document_id: 'c' }], next_cursor: null })
    const failed = await asTenant('/api/scopes/default/documents?status=failed')
    expect(failed.body).toMatchObject({ items: [{ document_id: 'c', error: { code: 'threw' } }] })
    expect((await asTenant('/api/scopes/default/documents?status=nonsense')).status).toBe(422)
  })
})
