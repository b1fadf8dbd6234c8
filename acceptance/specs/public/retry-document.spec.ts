/**
 * retryDocument: another try for what failed or was held. A healthy service brings no document to fail, so what can be
 * shown from outside is who may ask, and that nothing else is tried again.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../events.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeDocumentPlace, describeScopePlace } from '../../rules/places.ts'
import { describeReplay } from '../../rules/replay.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import {
  attach,
  ingest,
  newDocumentId,
  readDocument,
  register,
  remove,
  untilEnded,
} from '../../world/documents.ts'
import { heldDocument, holdDrafts } from '../../world/policies.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('retryDocument', { letIn: ['illegal_transition'] })
const scopeId = newScopeId()
const processed = newDocumentId()
const drafts = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  await createScope(tenant, drafts)
  await holdDrafts(tenant)
  await ingest(tenant, scopeId, { document_id: processed })
  await untilEnded(tenant, scopeId, processed)
})

const ask = (documentId: string, scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope, documentId },
})
const good = () => ask(processed)

async function expectUntouched(documentId: string): Promise<void> {
  const [before, told] = [await readDocument(tenant, scopeId, documentId), await readLog(tenant, scopeId)]
  subject.expectProblem(await subject.call(ask(documentId)), 'illegal_transition')
  expect(await readDocument(tenant, scopeId, documentId)).toEqual(before)
  const more = (await readLog(tenant, scopeId)).slice(told.length)
  expect(more.filter(({ data }) => data.document_id === documentId)).toEqual([])
}

describe('retryDocument: 409', () => {
  it('does not try a processed document again', async () => {
    await expectUntouched(processed)
  })

  it('does not queue a document that is only attached', async () => {
    await expectUntouched((await attach(tenant, scopeId)).document_id)
  })

  it('does not queue a document without text', async () => {
    await expectUntouched((await register(tenant, scopeId)).document_id)
  })

  it('queues nothing twice that is on its way', async () => {
    const documentId = newDocumentId()
    await ingest(tenant, scopeId, { document_id: documentId, text: 'A sentence. '.repeat(8_000) })
    subject.expectProblem(await subject.call(ask(documentId)), 'illegal_transition')
    const { status, attempt } = await untilEnded(tenant, scopeId, documentId)
    expect({ status, attempt }).toEqual({ status: 'processed', attempt: 1 })
  })
})

describe('retryDocument: 404 for what is gone', () => {
  it('does not bring a removed document back', async () => {
    const { document_id: documentId } = await register(tenant, scopeId)
    await remove(tenant, scopeId, documentId)
    subject.expectProblem(await subject.call(ask(documentId)), 'document_not_found')
  })
})

describeDocumentPlace(
  subject,
  () => tenant,
  (scope, documentId) => ask(documentId, scope),
)
describeScopePlace(subject, (scope) => ask(processed, scope))
describeParams(subject, good, 'scopeId', 'documentId')
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeReplay(
  subject,
  async () => ask(await heldDocument(tenant, drafts), drafts),
  (call) => ({ ...call, params: { scopeId: drafts, documentId: processed } }),
)
describeEveryOperation(subject, good)
describeCompleteness(subject)
