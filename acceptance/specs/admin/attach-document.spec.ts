/** attachDocument: an administrator hands in a document with its text, in the name of a tenant. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeBodies } from '../../rules/bodies.ts'
import { describeDeposits } from '../../rules/deposits.ts'
import { describeKeptFields, describeRefusedFields } from '../../rules/document-fields.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { changeBody, describeReplay } from '../../rules/replay.ts'
import { describeTenantHeader } from '../../rules/tenant-header.ts'
import { createSubject } from '../../subject.ts'
import { newDocumentId, readAt, register } from '../../world/documents.ts'
import { asAdminOf, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('attachDocument')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const attach = (body: unknown, scope = scopeId) =>
  subject.call({ headers: asAdminOf(tenant), params: { scopeId: scope }, body })
const good = () => ({
  headers: asAdminOf(tenant),
  params: { scopeId },
  body: { name: 'Report', text: 'Here it is.' },
})

describe('attachDocument: 201', () => {
  it('gives a document its text that the tenant had only registered', async () => {
    const { document_id: documentId } = await register(tenant, scopeId)
    const reply = await attach({ name: 'Report', text: 'Here it is.', document_id: documentId })
    expect(subject.expectAnswer(reply, 201)).toMatchObject({
      document_id: documentId,
      version: 1,
      status: 'attached',
    })
  })
})

describe('attachDocument: 422', () => {
  it('asks for name and text', async () => {
    subject.expectProblem(await attach({}), 'validation_failed', { pointers: ['#/name', '#/text'] })
  })

  it('asks for a body', async () => {
    const reply = await subject.call({ headers: asAdminOf(tenant), params: { scopeId } })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#'] })
  })

  it('takes the scope from the path alone', async () => {
    const reply = await attach({ name: 'Report', text: 'Here it is.', scope_id: scopeId })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/scope_id'] })
  })

  it('tells the faults of path and body at once', async () => {
    const reply = await attach({ name: '', text: 'a', document_id: newDocumentId() }, 'A')
    subject.expectProblem(reply, 'validation_failed', { pointers: ['path#/scopeId', '#/name'] })
  })
})

const sent = {
  fields: ['name', 'type', 'text', 'document_id', 'source', 'provenance'],
  sending: (field: string, value: unknown) => {
    const { body, ...call } = good()
    return { ...call, body: { ...body, [field]: value } }
  },
} as const

describeDeposits(subject, {
  owner: () => tenant,
  call: (scope, fields) => ({
    ...good(),
    params: { scopeId: scope },
    body: { ...good().body, ...fields },
  }),
})
describeKeptFields(subject, { ...sent, status: 201, readAt: (location) => readAt(tenant, location) })
describeRefusedFields(subject, sent)
describeScopePlace(subject, (scope) => ({ ...good(), params: { scopeId: scope } }))
describeParams(subject, good, 'scopeId')
describeTenantHeader(subject, good)
describePlatformEntrance(subject, good)
describeBodies(subject, good)
describeReplay(subject, good, changeBody({ text: 'Something else.' }))
describeEveryOperation(subject, good)
describeCompleteness(subject)
