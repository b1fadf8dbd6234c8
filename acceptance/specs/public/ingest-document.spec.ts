/** ingestDocument: a document is accepted for good, and ends processed. */
import { beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../events.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeKeptFields, describeRefusedFields } from '../../rules/document-fields.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import {
  asTenant,
  documentBody,
  newDocumentId,
  readAt,
  readDocument,
  untilAllEnded,
} from '../../world/documents.ts'
import type { DocumentFields } from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('ingestDocument')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const send = (body: unknown) => subject.call({ headers: asTenant(tenant), body })
const ingest = async (fields: DocumentFields) =>
  subject.expectAnswer(await send(documentBody(scopeId, fields)), 202)
const good = () => ({ headers: asTenant(tenant), body: documentBody(scopeId) })

describe('ingestDocument: 202', () => {
  it('answers with the nine fields of the specification and nothing else', async () => {
    const reply = await send({
      scope_id: scopeId,
      name: 'Annual report',
      type: 'md',
      text: 'Revenue was EUR 12.4m.',
      document_id: `annual-report-${scopeId}`,
      source: 'https://example.org/report',
      idempotency_key: `nightly-${scopeId}`,
    })
    expect(subject.expectAnswer(reply, 202)).toEqual({
      scope_id: scopeId,
      name: 'Annual report',
      type: 'md',
      document_id: `annual-report-${scopeId}`,
      idempotency_key: `nightly-${scopeId}`,
      queued: true,
      seq: expect.any(Number),
      integration_version: 'v1',
      message: expect.stringMatching(/./),
    })
    expect(reply.headers).not.toHaveProperty('idempotency-replayed')
  })

  it('fills in what is left out', async () => {
    const answer = await ingest({})
    expect(answer).toMatchObject({ type: 'txt', idempotency_key: null, queued: true })
    expect(answer.document_id).toMatch(/^.{1,200}$/)
    expect((await ingest({})).document_id).not.toBe(answer.document_id)
  })

  it('takes an empty type for one', async () => {
    const answer = await ingest({ type: '' })
    expect(answer.type).toBe('')
    expect((await readDocument(tenant, scopeId, answer.document_id ?? '')).type).toBe('')
  })

  it('says in Location where the document can be followed', async () => {
    const reply = await subject.call(good())
    const { document_id: documentId, name } = subject.expectAnswer(reply, 202)
    expect(reply.headers['location']).toBe(`/api/scopes/${scopeId}/documents/${documentId}`)
    expect(await readAt(tenant, reply.headers['location'] ?? '')).toMatchObject({
      scope_id: scopeId,
      document_id: documentId,
      name,
      version: 1,
    })
  })

  it('gives in seq the place of document.queued in the log of the scope', async () => {
    const first = await ingest({})
    const second = await ingest({})
    expect(first.seq).toBeGreaterThanOrEqual(0)
    expect(second.seq).toBeGreaterThan(first.seq ?? Infinity)
    const log = await readLog(tenant, scopeId)
    for (const { seq, document_id: documentId } of [first, second])
      expect(log.find(({ data }) => data.seq === seq)).toMatchObject({
        type: 'document.queued',
        subject: documentId,
        data: { document_id: documentId, version: 1 },
      })
  })
})

describe('ingestDocument: 202 for the largest text', () => {
  const largest = '💠'.repeat(100_000)
  const { text: _, ...card } = documentBody(scopeId)

  it('reads 100,000 characters of four bytes each', async () => {
    const { document_id: documentId } = await ingest({ text: largest })
    const { versions } = await readDocument(tenant, scopeId, documentId ?? '')
    expect(versions[0]?.characters).toBe(100_000)
  })

  it('reads them with every one escaped, in 1.2 MB', async () => {
    const bytes = `${JSON.stringify(card).slice(0, -1)},"text":"${'\\ud83d\\udca0'.repeat(100_000)}"}`
    expect(bytes.length).toBeGreaterThan(1_200_000)
    const headers = { ...asTenant(tenant), 'content-type': 'application/json' }
    const answer = subject.expectAnswer(await subject.call({ headers, bytes }), 202)
    const { versions } = await readDocument(tenant, scopeId, answer.document_id ?? '')
    expect(versions[0]?.characters).toBe(100_000)
  })

  it.each([
    ['of one byte', 'a'.repeat(100_001)],
    ['of four bytes', `${largest}a`],
  ])('refuses one character more, %s', async (_what, text) => {
    const reply = await send(documentBody(scopeId, { text }))
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/text'], rules: ['too_long'] })
  })
})

describe('ingestDocument: 422', () => {
  it('asks for X-Tenant-ID, also beside a good key', async () => {
    const reply = await subject.call({ ...good(), headers: bearer(tenant.key) })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['header#/x-tenant-id'] })
  })

  it('asks for scope, name and text', async () => {
    const pointers = ['#/scope_id', '#/name', '#/text']
    subject.expectProblem(await send({}), 'validation_failed', { pointers })
  })

  it('asks for a body', async () => {
    const reply = await subject.call({ headers: asTenant(tenant) })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#'] })
  })

  it.each(['', 'A', '-a', 'a_b', 'a b', 'ä', 'a\n', 'a'.repeat(121), 1, null, ['a']])(
    'refuses %j as scope',
    async (scope) => {
      const reply = await send({ ...documentBody(scopeId), scope_id: scope })
      subject.expectProblem(reply, 'validation_failed', { pointers: ['#/scope_id'] })
    },
  )

  it('tells all faults at once', async () => {
    const reply = await send({ scope_id: 'A', name: '', type: 1, text: '\0', provenance: 'x' })
    subject.expectProblem(reply, 'validation_failed', {
      pointers: ['#/scope_id', '#/name', '#/type', '#/text', '#/provenance'],
    })
  })

  it('refuses an idempotency key that belongs to another request', async () => {
    const key = newDocumentId()
    await ingest({ idempotency_key: key })
    const reply = await send(documentBody(scopeId, { idempotency_key: key, text: 'Another one.' }))
    subject.expectProblem(reply, 'idempotency_key_reused')
  })
})

const sent = {
  fields: ['name', 'type', 'text', 'document_id', 'source', 'idempotency_key'],
  sending: (field: string, value: unknown) => ({
    headers: asTenant(tenant),
    body: { ...documentBody(scopeId), [field]: value },
  }),
} as const

describeKeptFields(subject, { ...sent, status: 202, readAt: (location) => readAt(tenant, location) })
describeRefusedFields(subject, sent)
describeScopePlace(subject, (scope) => ({ headers: asTenant(tenant), body: documentBody(scope) }))
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)

describe('ingestDocument: a 202 is a promise', () => {
  it(
    'every document that was accepted here is processed at its first attempt',
    { timeout: 30_000 },
    async () => {
      // A document that marks a place in the log was registered only.
      const documents = (await untilAllEnded(tenant, scopeId)).filter(({ version }) => version > 0)
      expect(documents.length).toBeGreaterThan(50)
      expect(documents.filter(({ status }) => status !== 'processed')).toEqual([])
      expect(documents.filter(({ attempt, error }) => attempt !== 1 || error !== null)).toEqual([])
    },
  )
})
