/** rereadScope: documents that were processed are read again, and what they say stays. */
import { beforeAll, describe, expect, it } from 'vitest'
import { kindsOf, readLog } from '../../events.ts'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeDocumentPlace, describeScopePlace } from '../../rules/places.ts'
import { changeBody, describeReplay } from '../../rules/replay.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { ingest, newDocumentId, readDocument, register, remove, untilEnded } from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { untilReread, untilRereadEnded } from '../../world/rereads.ts'
import { bringTo, scopeSwitch } from '../../world/runtime.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('rereadScope')
const quiet = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, quiet)
})

const send = (scopeId: string, body?: unknown) =>
  subject.call({ headers: bearer(tenant.key), params: { scopeId }, body })
const reread = async (scopeId: string, body?: unknown) => subject.expectAnswer(await send(scopeId, body), 202)
/** There is no document, so it can be asked for any number of times. */
const good = () => ({ headers: bearer(tenant.key), params: { scopeId: quiet }, body: {} })

async function scopeWith(count: number): Promise<{ scopeId: string; ids: readonly string[] }> {
  const { scope_id: scopeId } = await createScope(tenant)
  const ids = Array.from({ length: count }, () => newDocumentId())
  for (const id of ids)
    await ingest(tenant, scopeId, { document_id: id, text: 'Revenue for 2025 is EUR 12m.' })
  for (const id of ids) await untilEnded(tenant, scopeId, id)
  return { scopeId, ids }
}

const ended = (scopeId: string) => untilRereadEnded(tenant, scopeId)

const readings = async (scopeId: string, id: string) =>
  (await kindsOf(tenant, scopeId, id)).filter((kind) => kind === 'document.processed').length

describe('rereadScope: 202', () => {
  it('reads those again that are named, and their version stays', async () => {
    const { scopeId, ids } = await scopeWith(3)
    const [first = '', second = '', third = ''] = ids
    const before = await readDocument(tenant, scopeId, first)
    const { requested_at: at, ...begun } = await reread(scopeId, { document_ids: [third, first, first] })
    expect(at).toEqual(expect.any(String))
    expect(begun).toEqual({
      scope_id: scopeId,
      state: 'running',
      read_by: null,
      documents_named: 2,
      documents_queued: 0,
      documents_read: 0,
      ended_at: null,
    })
    expect(await ended(scopeId)).toMatchObject({ documents_queued: 2, documents_read: 2 })
    const { version, reading, status } = await readDocument(tenant, scopeId, first)
    expect({ version, reading, status }).toEqual({
      version: 1,
      reading: before.reading,
      status: 'processed',
    })
    expect(await Promise.all([first, second, third].map((id) => readings(scopeId, id)))).toEqual([2, 1, 2])
  })

  it('reads those again that a reader read', async () => {
    const { scopeId, ids } = await scopeWith(2)
    const reader = (await readDocument(tenant, scopeId, ids[0] ?? '')).reading?.reader ?? ''
    await reread(scopeId, { read_by: 'no-such-reader' })
    expect(await ended(scopeId)).toMatchObject({ documents_queued: 0, read_by: 'no-such-reader' })
    await reread(scopeId, { read_by: reader })
    expect(await ended(scopeId)).toMatchObject({ documents_queued: 2, documents_read: 2, read_by: reader })
  })

  it.each([undefined, {}])(
    'reads nothing again that the reader of today has read (body %j)',
    async (body) => {
      const { scopeId } = await scopeWith(1)
      await reread(scopeId, body)
      expect(await ended(scopeId)).toMatchObject({ documents_queued: 0 })
    },
  )

  it('finds the same contradictions, and says nothing about them', async () => {
    const { scope_id: scopeId } = await createScope(tenant)
    const texts = { a: 'Revenue for 2025 is EUR 12.4m.', b: 'Revenue for 2025 is EUR 13.9m.' }
    for (const [id, text] of Object.entries(texts)) await ingest(tenant, scopeId, { document_id: id, text })
    for (const id of ['a', 'b']) await untilEnded(tenant, scopeId, id)
    const list = () => make('listContradictions', { headers: bearer(tenant.key), params: { scopeId } })
    const before = await list()
    expect(before.items).toHaveLength(1)
    const told = (await readLog(tenant, scopeId)).length
    await reread(scopeId, { document_ids: ['a', 'b'] })
    await ended(scopeId)
    expect(await list()).toEqual(before)
    const events = (await readLog(tenant, scopeId)).slice(told).map(({ type }) => type)
    expect(events.filter((type) => type.startsWith('contradiction.'))).toEqual([])
    expect(events.filter((type) => type === 'document.processed')).toHaveLength(2)
  })
})

describe('rereadScope: 202 again, and 409', () => {
  it('changes nothing by the same request while it runs, and refuses another', async () => {
    const { scopeId, ids } = await scopeWith(1)
    // A queued document waits.
    await bringTo(scopeSwitch(tenant, scopeId), 'paused')
    const first = await reread(scopeId, { document_ids: ids })
    await untilReread(tenant, scopeId, ({ documents_queued: queued }) => queued === 1)
    expect(await reread(scopeId, { document_ids: ids })).toMatchObject({
      requested_at: first.requested_at,
      documents_queued: 1,
      documents_read: 0,
    })
    subject.expectProblem(await send(scopeId, {}), 'illegal_transition')
    await bringTo(scopeSwitch(tenant, scopeId), 'running')
    expect(await ended(scopeId)).toMatchObject({ documents_queued: 1, documents_read: 1 })
    expect(await readings(scopeId, ids[0] ?? '')).toBe(2)
  })
})

describe('rereadScope: 404', () => {
  it('reads none of those it knows when it does not know one', async () => {
    const { scopeId, ids } = await scopeWith(1)
    subject.expectProblem(await send(scopeId, { document_ids: [...ids, 'unknown'] }), 'document_not_found')
    expect(await readings(scopeId, ids[0] ?? '')).toBe(1)
  })

  it('does not know a document that was removed', async () => {
    const { document_id: id } = await register(tenant, quiet)
    await remove(tenant, quiet, id)
    subject.expectProblem(await send(quiet, { document_ids: [id] }), 'document_not_found')
  })
})

describe('rereadScope: 422', () => {
  it.each([0, 501])('refuses a list of %s ids', async (count) => {
    const ids = Array.from({ length: count }, () => newDocumentId())
    const reply = await send(quiet, { document_ids: ids })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/document_ids'] })
  })

  it.each(['', 'a'.repeat(201), 1, null])('refuses %j as a reader', async (reader) => {
    const reply = await send(quiet, { read_by: reader })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/read_by'] })
  })
})

describeDocumentPlace(
  subject,
  () => tenant,
  (scopeId, documentId) => ({ ...good(), params: { scopeId }, body: { document_ids: [documentId] } }),
)
describeScopePlace(subject, (scopeId) => ({ ...good(), params: { scopeId } }))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeReplay(
  subject,
  async () => ({ ...good(), params: { scopeId: (await createScope(tenant)).scope_id } }),
  changeBody({ document_ids: [newDocumentId()] }),
)
describeEveryOperation(subject, good)
describeCompleteness(subject)
