/** releaseDocument: a person lets a document pass that policies hold. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeDocumentPlace, describeScopePlace } from '../../rules/places.ts'
import { changeBody, describeReplay } from '../../rules/replay.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { decisionsOf } from '../../world/decisions.ts'
import { ingest, newDocumentId, readDocument, untilEnded } from '../../world/documents.ts'
import { heldDocument, holdDrafts } from '../../world/policies.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('releaseDocument', { letIn: ['illegal_transition'] })
const scopeId = newScopeId()
const processed = newDocumentId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  await holdDrafts(tenant)
  await ingest(tenant, scopeId, { document_id: processed })
  await untilEnded(tenant, scopeId, processed)
})

const ask = (documentId: string, scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope, documentId },
  body: { by: 'Jo Doe', reason: 'Checked with the client.' },
})
const good = () => ask(processed)

describe('releaseDocument: 202', () => {
  it('has the document read, and says who let it pass', async () => {
    const documentId = await heldDocument(tenant, scopeId)
    const held = await readDocument(tenant, scopeId, documentId)
    expect(held).toMatchObject({ status: 'held', hold: { policies: ['tenant/no-drafts'] } })
    const reply = await subject.call(ask(documentId))
    const { decision_id: id } = subject.expectAnswer(reply, 202)
    expect(await untilEnded(tenant, scopeId, documentId)).toMatchObject({ status: 'processed', hold: null })
    const decisions = await decisionsOf(tenant, scopeId, `document_id=${documentId}`)
    expect(decisions.find((each) => each.decision_id === id)).toMatchObject({
      result: 'released',
      decided_by: 'person',
      by: 'Jo Doe',
      reason: 'Checked with the client.',
    })
    subject.expectProblem(await subject.call(ask(documentId)), 'illegal_transition')
  })
})

describe('releaseDocument: 422', () => {
  it.each([
    ['by', ''],
    ['by', 'a'.repeat(201)],
    ['reason', ''],
    ['reason', 1],
  ])('refuses as %s: %j', async (name, value) => {
    const call = ask(processed)
    const reply = await subject.call({ ...call, body: { ...call.body, [name]: value } })
    subject.expectProblem(reply, 'validation_failed', { pointers: [`#/${name}`] })
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
  async () => ask(await heldDocument(tenant, scopeId)),
  changeBody({ reason: 'Another reason.' }),
)
describeEveryOperation(subject, good)
describeCompleteness(subject)
