/** ingestFile: a file is read, accepted for good and ends processed; one that cannot be read is refused with the reason. */
import { makePdf } from '@concord/tools/sample-files'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { claimsOf, contradictionsOf, REVENUES, tell } from '../../world/claims.ts'
import { asTenant, newDocumentId, readDocument, untilAllEnded } from '../../world/documents.ts'
import { createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('ingestFile')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const TEXT = 'Borealis reported revenue of EUR 12.4m for 2025.'

const call = (query: string, bytes: string | Buffer = TEXT, headers: Record<string, string> = {}) => ({
  params: { scopeId },
  query,
  bytes,
  headers: { ...asTenant(tenant), 'content-type': 'application/octet-stream', ...headers },
})
const good = () => call('name=report.txt')

describe('ingestFile: 202', () => {
  it('answers with what was read, and the document ends processed', async () => {
    const documentId = newDocumentId()
    const query = `name=report.txt&document_id=${documentId}&source=mail`
    const body = subject.expectAnswer(await subject.call(call(query)), 202)
    expect(body).toMatchObject({
      scope_id: scopeId,
      name: 'report.txt',
      type: 'txt',
      document_id: documentId,
      queued: true,
      characters: TEXT.length,
      unread: [],
    })
    await untilAllEnded(tenant, scopeId)
    expect(await readDocument(tenant, scopeId, documentId)).toMatchObject({
      status: 'processed',
      type: 'txt',
      source: 'mail',
      unread: [],
      unread_total: 0,
    })
  })

  it('reads a table of values as such', async () => {
    const csv = call('name=sites.csv', 'Site,Staff\nLund,240\n')
    expect(subject.expectAnswer(await subject.call(csv), 202)).toMatchObject({ type: 'csv' })
  })

  it('answers the same again for the same key, and refuses another file under it', async () => {
    const key = { 'idempotency-key': `file-${scopeId}` }
    const first = await subject.call(call('name=a.txt', TEXT, key))
    const again = await subject.call(call('name=a.txt', TEXT, key))
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
    const other = await subject.call(call('name=a.txt', 'Another text.', key))
    subject.expectProblem(other, 'idempotency_key_reused')
  })
})

describe('ingestFile: places', () => {
  it('says where in the file each claim stands, and both sides of a contradiction', async () => {
    const place = (await createScope(tenant)).scope_id
    const send = async (query: string, file: string | Buffer) =>
      subject.expectAnswer(await subject.call({ ...call(query, file), params: { scopeId: place } }), 202)
    const notes = `Notes\n\n# Results\n\n${REVENUES[0]}\n`
    await send('name=notes.md&document_id=notes', notes)
    await send('name=report.pdf&document_id=pdf', makePdf([['Annual report'], [REVENUES[1]]]))
    await send('name=staff.csv&document_id=csv', 'Site,Employees\nLund,240\nOulu,310\n')
    await untilAllEnded(tenant, place)

    const nowhere = { page: null, slide: null, sheet: null, cell: null, heading: null, line: null }
    const [{ a, b } = {}] = await contradictionsOf(tenant, place)
    const sides = new Map([a, b].map((side) => [side?.document_id, side?.location]))
    expect(sides.get('notes')).toEqual({ ...nowhere, heading: 'Results', line: 5 })
    expect(sides.get('pdf')).toEqual({ ...nowhere, page: 2 })
    const cells = (await claimsOf(tenant, place, 'document_id=csv')).map(({ value, location }) => [
      value.low,
      location?.cell,
    ])
    expect(cells).toEqual([
      [240, 'B2'],
      [310, 'B3'],
    ])
  })

  it('has none of a text that was sent', async () => {
    const place = (await createScope(tenant)).scope_id
    await tell(tenant, place, REVENUES[0])
    const claims = await claimsOf(tenant, place)
    expect(claims.map(({ location }) => location)).toEqual(claims.map(() => null))
    expect(claims).not.toEqual([])
  })
})

const labelled = (id: string, labels: Readonly<Record<string, string>>, headers = {}) => {
  const query = new URLSearchParams({ name: 'a.txt', document_id: id, ...labels })
  return subject.call(call(query.toString(), TEXT, headers))
}
const sendLabelled = async (...sent: Parameters<typeof labelled>) =>
  subject.expectAnswer(await labelled(...sent), 202)

describe('ingestFile: tags and metadata', () => {
  it('come with the file, and replace what a document has without queueing it again', async () => {
    const id = newDocumentId()
    const { seq } = await sendLabelled(id, {
      tags: 'lease,2025,lease',
      metadata: JSON.stringify({ matter: '7/2025', owner: 'Ö, "x"' }),
    })
    expect(await readDocument(tenant, scopeId, id)).toMatchObject({
      tags: ['lease', '2025'],
      metadata: { matter: '7/2025', owner: 'Ö, "x"' },
    })
    expect((await sendLabelled(id, { tags: 'other' })).seq).toBe(seq)
    const after = { tags: ['other'], metadata: {}, version: 1 }
    expect(await readDocument(tenant, scopeId, id)).toMatchObject(after)
    await sendLabelled(id, {})
    expect(await readDocument(tenant, scopeId, id)).toMatchObject(after)
    await sendLabelled(id, { metadata: '{}' })
    expect(await readDocument(tenant, scopeId, id)).toMatchObject({ tags: [], metadata: {} })
  })

  it('are part of the request that an idempotency key stands for', async () => {
    const id = newDocumentId()
    const key = { 'idempotency-key': `labels-${id}` }
    await sendLabelled(id, { tags: 'a' }, key)
    await sendLabelled(id, { tags: 'b' })
    await sendLabelled(id, { tags: 'a' }, key)
    expect(await readDocument(tenant, scopeId, id)).toMatchObject({ tags: ['b'] })
    subject.expectProblem(await labelled(id, { tags: 'c' }, key), 'idempotency_key_reused')
    subject.expectProblem(await labelled(id, {}, key), 'idempotency_key_reused')
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    ['query#/tags/0', { tags: '' }],
    ['query#/tags/1', { tags: `a,${'a'.repeat(51)}` }],
    ['query#/tags', { tags: Array.from({ length: 21 }, (_, at) => `t${at}`).join(',') }],
    ['query#/metadata', { metadata: 'matter=7' }],
    ['query#/metadata', { metadata: '["a"]' }],
    ['query#/metadata/a:b', { metadata: '{"a:b":"x"}' }],
    ['query#/metadata/a', { metadata: '{"a":7}' }],
  ])('are refused out of bounds: %s of %j', async (pointer, labels) => {
    const reply = await labelled(newDocumentId(), labels)
    subject.expectProblem(reply, 'validation_failed', { pointers: [pointer] })
  })
})

describe('ingestFile: HTML', () => {
  const page =
    '<html><body><h1>Results</h1><p>Borealis Ltd had revenue of EUR 12.4m in 2025.</p></body></html>'

  it('reads as a file what is refused as a text', async () => {
    const place = (await createScope(tenant)).scope_id
    const asText = { scope_id: place, name: 'page', type: 'html', text: page }
    const refused = await createSubject('ingestDocument').call({ headers: asTenant(tenant), body: asText })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('html_not_text')
    const sent = await subject.call({ ...call('name=page.html', page), params: { scopeId: place } })
    subject.expectAnswer(sent, 202)
    await untilAllEnded(tenant, place)
    const [claim] = await claimsOf(tenant, place)
    expect(claim).toMatchObject({ quote: 'Borealis Ltd had revenue of EUR 12.4m in 2025.' })
    expect(claim?.location?.heading).toBe('Results')
  })
})

describe('ingestFile: refusals', () => {
  it.each([
    ['wrong_type', 'name=a.pdf', TEXT],
    ['damaged', 'name=a.pdf', '%PDF-1.4\ncut short'],
    ['no_text', 'name=a.txt', ' \n '],
    ['not_utf8', 'name=a.md', Buffer.from([0x5a, 0xfc, 0x72])],
    ['text_too_long', 'name=a.txt', 'x '.repeat(1_000_001)],
  ])('says %s of a file', async (code, query, bytes) => {
    const reply = await subject.call(call(query, bytes))
    subject.expectProblem(reply, 'file_unreadable', { pointers: ['#'], rules: [code] })
  })

  it.each(['name=', 'type=txt', 'name=a.txt&type=exe', 'name=a.txt&more=1'])(
    'refuses the query %s',
    async (query) => {
      subject.expectProblem(await subject.call(call(query)), 'validation_failed')
    },
  )

  it('refuses an empty body', async () => {
    subject.expectProblem(await subject.call(call('name=a.txt', '')), 'validation_failed')
  })

  it.each(['application/json', 'image/png', 'multipart/form-data; boundary=x'])(
    'refuses %s',
    async (type) => {
      const reply = await subject.call(call('name=a.txt', '{}', { 'content-type': type }))
      subject.expectProblem(reply, 'unsupported_media_type')
    },
  )

  it('refuses a file whose type nothing says', async () => {
    subject.expectProblem(await subject.call(call('name=report')), 'unsupported_media_type')
  })

  it('refuses a file above 25 MiB', async () => {
    const reply = await subject.call(call('name=a.txt', Buffer.alloc(26_214_401, 'x')))
    subject.expectProblem(reply, 'payload_too_large')
  })
})

describeTenantEntrance(subject, good, () => tenant)
describeScopePlace(subject, (place) => ({ ...good(), params: { scopeId: place } }))
describeEveryOperation(subject, good)
describeCompleteness(subject)
