/** triggerIngest: what is attached to a scope is queued, once. */
import { beforeAll, describe, expect, it } from 'vitest'
import { kindsOf, readLog } from '../../events.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeDocumentPlace, describeScopePlace } from '../../rules/places.ts'
import { describePlatformEntrance } from '../../rules/platform-entrance.ts'
import { describeTenantHeader } from '../../rules/tenant-header.ts'
import { createSubject } from '../../subject.ts'
import { attach, newDocumentId, readDocument, register, remove, untilEnded } from '../../world/documents.ts'
import { asAdminOf, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('triggerIngest')
const quiet = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, quiet)
})

const send = (scopeId: string, body?: unknown) =>
  subject.call({ headers: asAdminOf(tenant), params: { scopeId }, body })
const trigger = async (scopeId: string, body?: unknown) =>
  subject.expectAnswer(await send(scopeId, body), 200)
/** Nothing is attached there, so it can be asked for any number of times. */
const good = () => ({ headers: asAdminOf(tenant), params: { scopeId: quiet }, body: {} })

/** A scope with this many documents that wait. */
async function scopeWith(count: number): Promise<{ scopeId: string; ids: readonly string[] }> {
  const { scope_id: scopeId } = await createScope(tenant)
  const ids = Array.from({ length: count }, () => newDocumentId())
  for (const id of ids) await attach(tenant, scopeId, { document_id: id })
  return { scopeId, ids }
}

const statusOf = async (scopeId: string, id: string) => (await readDocument(tenant, scopeId, id)).status

describe('triggerIngest: 200', () => {
  it('is the last step of a document that was registered, then got its text', async () => {
    const { scope_id: scopeId } = await createScope(tenant)
    const { document_id: id } = await register(tenant, scopeId)
    await attach(tenant, scopeId, { document_id: id })
    const answer = await trigger(scopeId)
    expect(answer).toEqual({
      scope_id: scopeId,
      queued: 1,
      already_queued: 0,
      without_text: 0,
      first_seq: expect.any(Number),
      last_seq: answer.first_seq,
    })
    expect(await untilEnded(tenant, scopeId, id)).toMatchObject({
      status: 'processed',
      version: 1,
      attempt: 1,
    })
    expect(await kindsOf(tenant, scopeId, id)).toEqual([
      'document.registered',
      'document.attached',
      'document.queued',
      'document.processing',
      'document.processed',
    ])
  })

  it('queues all that is attached, and says where in the log', async () => {
    const { scopeId, ids } = await scopeWith(3)
    const { queued, first_seq: first, last_seq: last } = await trigger(scopeId)
    expect({ queued, span: (last ?? 0) - (first ?? 0) }).toEqual({ queued: 3, span: 2 })
    const log = await readLog(tenant, scopeId)
    const told = log.filter(({ data: { seq } }) => seq >= (first ?? 0) && seq <= (last ?? 0))
    expect(told.map(({ type }) => type)).toEqual(Array(3).fill('document.queued'))
    expect(told.map(({ subject: about }) => about).toSorted()).toEqual(ids.toSorted())
    for (const id of ids) expect((await untilEnded(tenant, scopeId, id)).status).toBe('processed')
  })

  it.each([undefined, {}])('queues nothing where nothing is attached (body %j)', async (body) => {
    const { scope_id: scopeId } = await createScope(tenant)
    const { document_id: id } = await register(tenant, scopeId)
    expect(await trigger(scopeId, body)).toMatchObject({ queued: 0, first_seq: null, last_seq: null })
    expect(await statusOf(scopeId, id)).toBe('registered')
  })

  it('queues nothing twice when it is repeated', async () => {
    const { scopeId, ids } = await scopeWith(2)
    expect((await trigger(scopeId)).queued).toBe(2)
    expect(await trigger(scopeId)).toMatchObject({ queued: 0, first_seq: null, last_seq: null })
    for (const id of ids) await untilEnded(tenant, scopeId, id)
    expect(await trigger(scopeId)).toMatchObject({ queued: 0, first_seq: null, last_seq: null })
  })

  it('queues each document once when ten ask at once, over all processes', async () => {
    const { scopeId, ids } = await scopeWith(4)
    const answers = await Promise.all(Array.from({ length: 10 }, () => trigger(scopeId)))
    expect(answers.reduce((sum, { queued }) => sum + queued, 0)).toBe(4)
    for (const id of ids) await untilEnded(tenant, scopeId, id)
    const log = await readLog(tenant, scopeId)
    expect(log.filter(({ type }) => type === 'document.queued')).toHaveLength(4)
  })
})

describe('triggerIngest: 200 for some', () => {
  it('queues those that are named and leaves the others', async () => {
    const { scopeId, ids } = await scopeWith(3)
    const [first = '', second = '', third = ''] = ids
    expect(await trigger(scopeId, { document_ids: [first, third] })).toMatchObject({
      queued: 2,
      already_queued: 0,
    })
    for (const id of [first, third]) expect((await untilEnded(tenant, scopeId, id)).status).toBe('processed')
    expect(await statusOf(scopeId, second)).toBe('attached')
  })

  it('counts a document once that is named twice', async () => {
    const { scopeId, ids } = await scopeWith(1)
    expect(await trigger(scopeId, { document_ids: [...ids, ...ids] })).toMatchObject({
      queued: 1,
      already_queued: 0,
    })
  })

  it('says of a document that was queued before that it was', async () => {
    const { scopeId, ids } = await scopeWith(1)
    await trigger(scopeId, { document_ids: ids })
    expect(await trigger(scopeId, { document_ids: ids })).toEqual({
      scope_id: scopeId,
      queued: 0,
      already_queued: 1,
      without_text: 0,
      first_seq: null,
      last_seq: null,
    })
  })

  it('does not say of a document without text that it was queued', async () => {
    const { scope_id: scopeId } = await createScope(tenant)
    const { document_id: id } = await register(tenant, scopeId)
    expect(await trigger(scopeId, { document_ids: [id] })).toMatchObject({
      queued: 0,
      already_queued: 0,
      without_text: 1,
    })
  })

  it('says without a body how many were queued before and how many have no text', async () => {
    const { scopeId } = await scopeWith(2)
    await register(tenant, scopeId)
    expect(await trigger(scopeId)).toMatchObject({ queued: 2, already_queued: 0, without_text: 1 })
    expect(await trigger(scopeId)).toMatchObject({ queued: 0, already_queued: 2, without_text: 1 })
  })

  it('does not say of a document that is gone that it was queued', async () => {
    const { scopeId, ids } = await scopeWith(1)
    await remove(tenant, scopeId, ids[0] ?? '')
    const reply = await send(scopeId, { document_ids: ids })
    // Not found, or found and left alone; both are true.
    if (reply.status === 404) return subject.expectProblem(reply, 'document_not_found')
    expect(subject.expectAnswer(reply, 200)).toMatchObject({ queued: 0, already_queued: 0 })
  })
})

describe('triggerIngest: 404', () => {
  it('queues nothing of those it knows when it does not know one', async () => {
    const { scopeId, ids } = await scopeWith(2)
    const reply = await send(scopeId, { document_ids: [...ids, 'unknown'] })
    subject.expectProblem(reply, 'document_not_found')
    for (const id of ids) expect(await statusOf(scopeId, id)).toBe('attached')
  })

  it('reads 500 ids before it says so', async () => {
    const ids = Array.from({ length: 500 }, (_, index) => '💠'.repeat(197) + String(index).padStart(3, '0'))
    subject.expectProblem(await send(quiet, { document_ids: ids }), 'document_not_found')
  })
})

describe('triggerIngest: 422', () => {
  it.each([0, 501])('refuses a list of %s ids', async (count) => {
    const ids = Array.from({ length: count }, () => newDocumentId())
    const reply = await send(quiet, { document_ids: ids })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/document_ids'] })
  })

  it.each(['a', null, {}, 1])('refuses %j instead of a list', async (ids) => {
    const reply = await send(quiet, { document_ids: ids })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/document_ids'] })
  })

  it('says which ids cannot be any', async () => {
    const reply = await send(quiet, { document_ids: ['good', '', '💠'.repeat(201), 'a\0', 1, null] })
    subject.expectProblem(reply, 'validation_failed', {
      pointers: [1, 2, 3, 4, 5].map((index) => `#/document_ids/${index}`),
    })
  })
})

describeDocumentPlace(
  subject,
  () => tenant,
  (scopeId, documentId) => ({ ...good(), params: { scopeId }, body: { document_ids: [documentId] } }),
)
describeScopePlace(subject, (scopeId) => ({ ...good(), params: { scopeId } }))
describeParams(subject, good, 'scopeId')
describeTenantHeader(subject, good)
describePlatformEntrance(subject, good)
describeBodies(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
