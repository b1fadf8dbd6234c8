/** Files over the API: a 202 is a promise about the text of the file, and a file that cannot be read is refused with its reason. */
import { makePdf, makeXlsx } from '@concord/tools/sample-files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, startTestApi } from '../support/api.ts'
import type { TestApi } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
let api: TestApi
let tenant: TestTenant

beforeAll(async () => {
  // A machine that is busy with other work is no reason to refuse a file here.
  api = await startTestApi(database(), { SHED_LATE_MS: '0', LIMIT_BYTES_IN_FLIGHT: '0' })
  tenant = await makeTenant(pools(), 'Acme')
  await call('/api/scopes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scope_id: 'case' }),
  })
})

afterAll(() => api.stop())

type Call = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

const call = (path: string, init: Call = {}) =>
  callApi(api.address + path, {
    ...init,
    headers: { authorization: `Bearer ${tenant.key}`, 'x-tenant-id': tenant.tenantId, ...init.headers },
  })

const send = (query: string, body: Uint8Array | string, headers: Record<string, string> = {}) =>
  call(`/api/scopes/case/files?${query}`, {
    method: 'POST',
    body: typeof body === 'string' ? Buffer.from(body) : Uint8Array.from(body),
    headers: { 'content-type': 'application/octet-stream', ...headers },
  })

const sheet = makeXlsx({
  Q1: [
    ['Region', 'Revenue'],
    ['North', 12.4],
  ],
})

describe('a file that can be read', () => {
  it('is accepted with the length of its text, and stands in the scope as its type', async () => {
    const { status, body, headers } = await send('name=sales.xlsx&document_id=sales&source=mail', sheet)
    expect(body).toMatchObject({
      scope_id: 'case',
      name: 'sales.xlsx',
      type: 'xlsx',
      document_id: 'sales',
      queued: true,
      unread: [],
    })
    expect(status).toBe(202)
    expect(headers.get('location')).toBe('/api/scopes/case/documents/sales')
    const { body: document } = await call('/api/scopes/case/documents/sales')
    expect(document).toMatchObject({ name: 'sales.xlsx', type: 'xlsx', source: 'mail', status: 'queued' })
    expect(document).toMatchObject({ versions: [{ characters: body['characters'] }] })
  })

  it('is not queued twice, and answers the same again', async () => {
    const first = await send('name=a.txt&document_id=twice', 'Revenue was EUR 3 million.')
    const again = await send('name=a.txt&document_id=twice', 'Revenue was EUR 3 million.')
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
  })

  it('names pages without text, also afterwards in the document and in the report', async () => {
    const { body } = await send('name=a.pdf&document_id=scan', makePdf([['Revenue was EUR 3 million.'], []]))
    const unread = [{ part: 'page', number: 2 }]
    expect(body).toMatchObject({ type: 'pdf', unread })
    const document = await call('/api/scopes/case/documents/scan')
    expect(document.body).toMatchObject({ unread, unread_total: 1 })
    const report = await call('/api/scopes/case/report?format=json')
    expect(report.body['documents']).toContainEqual(
      expect.objectContaining({ document_id: 'scan', unread, unread_total: 1 }),
    )
  })

  it.each([
    ['the query', 'name=a&type=md', 'text/plain', 'md'],
    ['its media type', 'name=a', 'text/html; charset=utf-8', 'html'],
    ['the extension of its name', 'name=a.HTM', 'application/octet-stream', 'html'],
    ['the extension, where it is sent as plain text', 'name=a.csv', 'text/plain', 'csv'],
  ])('is of the type that %s says', async (_, query, contentType, type) => {
    const { status, body } = await send(query, '<p>Words of it</p>', { 'content-type': contentType })
    expect(body).toMatchObject({ type })
    expect(status).toBe(202)
  })

  it('may have 2,000,000 characters', async () => {
    const { status, body } = await send('name=long.txt', `${'x'.repeat(79)}\n`.repeat(24_999))
    expect(status).toBe(202)
    expect(body).toMatchObject({ characters: 80 * 24_999 - 1 })
  })
})

describe('a file that is refused', () => {
  it.each([
    ['damaged', 'name=a.xlsx', sheet.subarray(0, 200)],
    ['wrong_type', 'name=a.pdf', sheet],
    ['no_text', 'name=a.pdf', makePdf([[]])],
    ['text_too_long', 'name=a.txt', 'x '.repeat(1_000_001)],
  ])('says why: %s', async (code, query, body) => {
    const answer = await send(`${query}&document_id=refused`, body)
    expect(answer.body).toMatchObject({ code: 'file_unreadable', errors: [{ pointer: '#', code }] })
    expect(answer.status).toBe(422)
    expect((await call('/api/scopes/case/documents/refused')).status).toBe(404)
  })

  it.each([
    ['without a name', 'type=txt', 'text', {}, 'validation_failed'],
    ['without a byte', 'name=a.txt', '', {}, 'validation_failed'],
    ['as JSON', 'name=a.txt', '{}', { 'content-type': 'application/json' }, 'unsupported_media_type'],
    ['as a picture', 'name=a.txt', 'x', { 'content-type': 'image/png' }, 'unsupported_media_type'],
    ['of a type that nothing says', 'name=a', 'x', {}, 'unsupported_media_type'],
    ['above the limit', 'name=a.txt', 'x'.repeat(26_214_401), {}, 'payload_too_large'],
  ])('is one %s', async (_, query, body, headers, code) => {
    expect((await send(query, body, headers)).body).toMatchObject({ code })
  })

  it('is one for a scope that is not there, before it is read', async () => {
    const answer = await call('/api/scopes/none/files?name=a.pdf', {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'application/pdf' },
    })
    expect(answer.body).toMatchObject({ code: 'scope_not_found' })
  })

  it('is one on any other route', async () => {
    const answer = await call('/api/ingest', {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'application/pdf' },
    })
    expect(answer.body).toMatchObject({ code: 'unsupported_media_type' })
  })
})
