/** Policies over HTTP: written, read back, refused, taken back; and what they hold, released. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bearer, jsonBody, startTestApi } from '../support/api.ts'
import type { TestApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { makeRootKey, makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { noDocuments } from '../support/policies.ts'
import { usePools } from '../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
let api: TestApi
let admin: string
let tenant: TestTenant

beforeAll(async () => {
  admin = (await makeRootKey(pools(), 'admin')).key
  api = await startTestApi(database())
})
beforeEach(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})
afterAll(() => api.stop())

const call = (method: string, path: string, body?: object) => {
  const { headers = {}, ...rest } = body ? jsonBody(body) : {}
  const own = { ...bearer(admin), 'x-tenant-api-key': tenant.key }
  return api.call(path, { ...rest, method, headers: { ...headers, ...own } })
}

describe.each(['/admin/policy', '/admin/scopes/default/policy'])('%s', (path) => {
  const scopeId = path.includes('scopes') ? 'default' : null

  it('begins with what ships, and keeps every version', async () => {
    const before = await call('GET', path)
    expect(before.body).toMatchObject({
      scope_id: scopeId,
      version: 0,
      text: '',
      created_at: null,
      versions: [],
    })
    expect(before.body['default_text']).toContain('@id("admit")')
    const written = await call('PUT', path, { text: noDocuments('draft') })
    expect([written.status, written.body['version'], written.body['text']]).toEqual([
      200,
      1,
      noDocuments('draft'),
    ])
    expect(written.body['policy_hash']).not.toBe(before.body['policy_hash'])
    const same = await call('PUT', path, { text: noDocuments('draft') })
    expect(same.body['version']).toBe(1)
    const removed = await call('DELETE', path)
    expect(removed.body).toMatchObject({ version: 2, text: '', policy_hash: before.body['policy_hash'] })
    expect((await call('GET', path)).body['versions']).toMatchObject([
      { version: 2, empty: true },
      { version: 1, empty: false },
    ])
  })

  it('refuses what cannot be in force, with where and what helps', async () => {
    const text =
      '@id("a")\nforbid (principal, action == Concord::Action::"admit_document", resource)\nwhen { resource.typ == "x" };'
    const { status, body } = await call('PUT', path, { text })
    expect([status, body['code']]).toEqual([422, 'policy_invalid'])
    expect(body['errors']).toEqual([
      {
        pointer: '#/text',
        code: 'invalid',
        message: expect.stringMatching(/^line 3, column 8: a: attribute `typ`.*did you mean `type`\?$/),
      },
    ])
    expect((await call('GET', path)).body['version']).toBe(0)
  })

  it('is recorded in the audit log', async () => {
    await call('PUT', path, { text: noDocuments('draft') })
    const rows = await look(
      database(),
      `select action, scope_id, details::text as details from audit_log where tenant_id = $1 and action = 'policy.changed'`,
      [tenant.tenantId],
    )
    expect(rows).toMatchObject([{ scope_id: scopeId, details: expect.stringContaining('"version":1') }])
    expect(JSON.stringify(rows)).not.toContain('draft')
  })
})

describe('policies of a scope', () => {
  it('are unknown where the scope is, and another tenant sees none', async () => {
    expect((await call('GET', '/admin/scopes/nowhere/policy')).body['code']).toBe('scope_not_found')
    expect((await call('PUT', '/admin/scopes/nowhere/policy', { text: '' })).status).toBe(404)
    await call('PUT', '/admin/policy', { text: noDocuments('draft') })
    tenant = await makeTenant(pools())
    expect((await call('GET', '/admin/policy')).body['version']).toBe(0)
  })

  it('go with the scope', async () => {
    await call('PUT', '/admin/scopes/default/policy', { text: noDocuments('draft') })
    expect((await call('DELETE', '/admin/scopes/default')).status).toBe(200)
    await makeScope(pools(), tenant, 'default')
    expect((await call('GET', '/admin/scopes/default/policy')).body['version']).toBe(0)
  })
})

describe('release', () => {
  it('is for what is held alone', async () => {
    const own = { ...bearer(tenant.key), 'x-tenant-id': tenant.tenantId, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      api.call(path, { method: 'POST', headers: own, body: JSON.stringify(body) })
    await post('/api/ingest', { scope_id: 'default', document_id: 'a', name: 'A', text: 'words' })
    const path = '/api/scopes/default/documents/a/release'
    const why = { by: 'j.doe', reason: 'It may be read.' }
    expect((await post(path, why)).body['code']).toBe('illegal_transition')
    await look(
      database(),
      `update documents set status = 'held', error_code = 'forbidden' where tenant_id = $1`,
      [tenant.tenantId],
    )
    await look(database(), 'delete from work where tenant_id = $1', [tenant.tenantId])
    const released = await post(path, why)
    expect([released.status, released.body['queued']]).toEqual([202, true])
    const listed = await api.call('/api/scopes/default/decisions', { headers: own })
    expect(listed.body['items']).toMatchObject([
      {
        result: 'released',
        decided_by: 'person',
        by: 'j.doe',
        reason: 'It may be read.',
        document_ids: ['a'],
      },
    ])
    expect((await post('/api/scopes/default/documents/b/release', why)).status).toBe(404)
  })
})
