/** registerDocument: a document is known to its scope, with or without its text, and waits. */
import { beforeAll, describe, expect, it } from 'vitest'
import { kindsOf } from '../../events.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeDeposits } from '../../rules/deposits.ts'
import { describeKeptFields, describeRefusedFields } from '../../rules/document-fields.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { changeBody, describeReplay } from '../../rules/replay.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import {
  documentBody,
  newDocumentId,
  readAt,
  readDocument,
  trigger,
  untilEnded,
} from '../../world/documents.ts'
import type { DocumentFields } from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('registerDocument')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const send = (body: unknown) => subject.call({ headers: bearer(tenant.key), body })
const register = async (fields: DocumentFields) =>
  subject.expectAnswer(await send({ scope_id: scopeId, name: 'Report', ...fields }), 201)
const good = () => ({ headers: bearer(tenant.key), body: { scope_id: scopeId, name: 'Report' } })

describe('registerDocument: 201 without text', () => {
  it('answers with the record and nothing else', async () => {
    const fields = { document_id: newDocumentId(), type: 'md', source: 'mail', provenance: 'sha256:0' }
    expect(await register(fields)).toEqual({
      ...fields,
      scope_id: scopeId,
      name: 'Report',
      version: 0,
      status: 'registered',
      stage: null,
      attempt: 0,
      error: null,
      hold: null,
      tags: [],
      metadata: {},
      waiting_for: null,
      waiting_reason: null,
      unread: [],
      unread_total: 0,
      reading: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
  })

  it('says in Location where it can be read, with no version yet', async () => {
    const reply = await subject.call(good())
    const record = subject.expectAnswer(reply, 201)
    expect(reply.headers['location']).toBe(`/api/scopes/${scopeId}/documents/${record.document_id}`)
    expect(await readDocument(tenant, scopeId, record.document_id)).toEqual({
      ...record,
      versions: [],
      next_versions_cursor: null,
    })
  })

  it('gives the same record when the same is sent again', async () => {
    const fields = { document_id: newDocumentId() }
    expect(await register(fields)).toEqual(await register(fields))
    expect(await kindsOf(tenant, scopeId, fields.document_id)).toEqual(['document.registered'])
  })

  it('becomes attached when its text comes under the same id', async () => {
    const fields = { document_id: newDocumentId() }
    const { created_at: created } = await register(fields)
    expect(await register({ ...fields, text: 'Here it is.' })).toMatchObject({
      status: 'attached',
      version: 1,
      created_at: created,
    })
    expect(await kindsOf(tenant, scopeId, fields.document_id)).toEqual([
      'document.registered',
      'document.attached',
    ])
  })
})

describe('registerDocument: a registration that comes late', () => {
  it('does not take the text away from a document that has got it meanwhile', async () => {
    const fields = { document_id: newDocumentId() }
    await register(fields)
    await register({ ...fields, text: 'Here it is.' })
    const attached = await readDocument(tenant, scopeId, fields.document_id)
    // Refused or repeated, but without effect.
    expect([201, 409]).toContain((await send({ scope_id: scopeId, name: 'Report', ...fields })).status)
    expect(await readDocument(tenant, scopeId, fields.document_id)).toEqual(attached)
  })

  it('does not throw a processed document back', async () => {
    const fields = { document_id: newDocumentId() }
    await register({ ...fields, text: 'Here it is.' })
    await trigger(tenant, scopeId, { document_ids: [fields.document_id] })
    const processed = await untilEnded(tenant, scopeId, fields.document_id)
    expect([201, 409]).toContain((await send({ scope_id: scopeId, name: 'Report', ...fields })).status)
    expect(await readDocument(tenant, scopeId, fields.document_id)).toEqual(processed)
  })
})

describe('registerDocument: 422', () => {
  it('asks for scope and name', async () => {
    subject.expectProblem(await send({}), 'validation_failed', { pointers: ['#/scope_id', '#/name'] })
  })

  it('asks for a body', async () => {
    const reply = await subject.call({ headers: bearer(tenant.key) })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#'] })
  })

  it.each(['', 'A', '-a', 'a_b', 'a'.repeat(121), 1, null])('refuses %j as scope', async (id) => {
    const reply = await send({ scope_id: id, name: 'Report' })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/scope_id'] })
  })

  it('knows no idempotency key', async () => {
    const reply = await send({ scope_id: scopeId, name: 'Report', idempotency_key: 'a' })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/idempotency_key'] })
  })
})

const sent = {
  fields: ['name', 'type', 'text', 'document_id', 'source', 'provenance'],
  sending: (field: string, value: unknown) => ({
    headers: bearer(tenant.key),
    body: { scope_id: scopeId, name: 'Report', [field]: value },
  }),
} as const

describeDeposits(subject, {
  owner: () => tenant,
  call: (scope, fields) => ({ headers: bearer(tenant.key), body: documentBody(scope, fields) }),
})
describeKeptFields(subject, { ...sent, status: 201, readAt: (location) => readAt(tenant, location) })
describeRefusedFields(subject, sent)
describeScopePlace(subject, (scope) => ({ headers: bearer(tenant.key), body: documentBody(scope) }))
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeReplay(subject, good, changeBody({ name: 'Other' }))
describeEveryOperation(subject, good)
describeCompleteness(subject)
