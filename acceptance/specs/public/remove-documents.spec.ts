/** removeDocuments: up to 100 documents in one request, each removed or refused by itself. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import {
  documentBody,
  ingest,
  newDocumentId,
  readDocument,
  register,
  untilEnded,
} from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('removeDocuments')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

const ask = (documentIds: unknown, scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope },
  body: { document_ids: documentIds },
})
const good = () => ask(['unknown'])
const remove = async (...documentIds: string[]) =>
  subject.expectAnswer(await subject.call(ask(documentIds)), 200)

describe('removeDocuments: 200', () => {
  it('removes those that are there and refuses the others, in the order they were named', async () => {
    const [read, bare, gone] = [newDocumentId(), newDocumentId(), newDocumentId()]
    await ingest(tenant, scopeId, { document_id: read })
    await untilEnded(tenant, scopeId, read)
    await register(tenant, scopeId, { document_id: bare })
    await register(tenant, scopeId, { document_id: gone })
    expect(await remove(gone)).toMatchObject({ removed: 1, refused: 0, results: [{ versions: 0 }] })
    const answer = await remove(gone, read, 'unknown', bare, read)
    expect(answer).toMatchObject({
      scope_id: scopeId,
      removed: 2,
      refused: 2,
      results: [
        { document_id: gone, removed: false, problem: { code: 'document_not_found', status: 404 } },
        { document_id: read, removed: true, versions: 1, seq: expect.any(Number) },
        { document_id: 'unknown', removed: false, problem: { code: 'document_not_found' } },
        { document_id: bare, removed: true, versions: 0 },
      ],
    })
    for (const id of [read, bare])
      expect(await readDocument(tenant, scopeId, id)).toMatchObject({ status: 'removed', name: '' })
  })

  it('removes no document of another tenant or scope', async () => {
    const other = await createTenant()
    await createScope(other, scopeId)
    const { document_id: foreign } = await register(other, scopeId)
    const { scope_id: elsewhere } = await createScope(tenant)
    const { document_id: mine } = await register(tenant, elsewhere)
    expect(await remove(foreign, mine)).toMatchObject({ removed: 0, refused: 2 })
    expect((await readDocument(other, scopeId, foreign)).status).toBe('registered')
    expect((await readDocument(tenant, elsewhere, mine)).status).toBe('registered')
  })

  it('takes a hundred', async () => {
    const ids = Array.from({ length: 100 }, () => newDocumentId())
    const documents = ids.map((id) => documentBody(scopeId, { document_id: id }))
    await make('ingestBatch', { headers: bearer(tenant.key), body: { documents } })
    const { results } = await remove(...ids)
    expect(results.map((each) => each.document_id)).toEqual(ids)
  })
})

describe('removeDocuments: 422', () => {
  it.each<[string, unknown]>([
    ['#/document_ids', []],
    ['#/document_ids', Array.from({ length: 101 }, (_, at) => `d${at}`)],
    ['#/document_ids', undefined],
    ['#/document_ids', 'a'],
    ['#/document_ids/1', ['a', '']],
    ['#/document_ids/0', ['..']],
    ['#/document_ids/0', [1]],
  ])('refuses %s of %j', async (pointer, value) => {
    const reply = await subject.call(ask(value))
    subject.expectProblem(reply, 'validation_failed', { pointers: [pointer] })
  })
})

describeScopePlace(subject, (scope) => ask(['unknown'], scope))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
