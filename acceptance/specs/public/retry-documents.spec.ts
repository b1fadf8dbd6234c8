/** retryDocuments: another try for several documents that failed or are held, each by itself. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { attach, readDocument, untilEnded } from '../../world/documents.ts'
import { heldDocument, holdDrafts } from '../../world/policies.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('retryDocuments')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  await holdDrafts(tenant)
})

const ask = (body: object, scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope },
  body,
})
const good = () => ask({ document_ids: ['unknown'] })
const retry = async (body: object) => subject.expectAnswer(await subject.call(ask(body)), 200)

describe('retryDocuments: 200', () => {
  it('queues those that are held and refuses the others, in the order they were named', async () => {
    const held = await heldDocument(tenant, scopeId)
    const { document_id: attached } = await attach(tenant, scopeId)
    const answer = await retry({ document_ids: [attached, held, 'unknown', held] })
    expect(answer).toMatchObject({
      scope_id: scopeId,
      queued: 1,
      refused: 2,
      next_after: null,
      results: [
        { document_id: attached, queued: false, problem: { code: 'illegal_transition', status: 409 } },
        { document_id: held, queued: true, version: 1, seq: expect.any(Number) },
        { document_id: 'unknown', queued: false, problem: { code: 'document_not_found' } },
      ],
    })
    // Policy is asked again, and holds it again.
    expect((await untilEnded(tenant, scopeId, held)).status).toBe('held')
    expect((await readDocument(tenant, scopeId, attached)).status).toBe('attached')
  })

  it('finds those in a status by their ids, after one that is named', async () => {
    const ids = [await heldDocument(tenant, scopeId), await heldDocument(tenant, scopeId)].toSorted()
    const queued = async (body: object) => {
      const { results, next_after: next } = await retry({ status: 'held', ...body })
      expect(next).toBeNull()
      const seen = results.map((each) => each.document_id).filter((id) => ids.includes(id))
      for (const id of seen) await untilEnded(tenant, scopeId, id)
      return seen
    }
    expect(await queued({})).toEqual(ids)
    expect(await queued({ after: ids[0] })).toEqual([ids[1]])
    expect(await retry({ status: 'failed' })).toMatchObject({ queued: 0, refused: 0, results: [] })
  })
})

describe('retryDocuments: 422', () => {
  it.each<[string, object]>([
    ['#/document_ids', {}],
    ['#/document_ids', { document_ids: [] }],
    ['#/document_ids', { document_ids: Array.from({ length: 101 }, (_, at) => `d${at}`) }],
    ['#/document_ids/0', { document_ids: [''] }],
    ['#/status', { document_ids: ['a'], status: 'failed' }],
    ['#/status', { status: 'processed' }],
    ['#/after', { document_ids: ['a'], after: 'a' }],
    ['#/after', { status: 'failed', after: '' }],
  ])('refuses %s of %j', async (pointer, body) => {
    const reply = await subject.call(ask(body))
    subject.expectProblem(reply, 'validation_failed', { pointers: [pointer] })
  })
})

describeScopePlace(subject, (scope) => ask({ status: 'failed' }, scope))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
