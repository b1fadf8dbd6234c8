/** updateDocument: tags and metadata, by which a tenant sorts its documents. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeBodies } from '../../rules/bodies.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeDocumentPlace, describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { ingest, newDocumentId, readDocument, register, remove, untilEnded } from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('updateDocument')
const scopeId = newScopeId()
const known = newDocumentId()
const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`)
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  await register(tenant, scopeId, { document_id: known })
})

const ask = (documentId: string, body: object = {}, scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope, documentId },
  body,
})
const good = () => ask(known, { tags: ['lease'] })
const update = async (documentId: string, body: object) =>
  subject.expectAnswer(await subject.call(ask(documentId, body)), 200)

describe('updateDocument: 200', () => {
  it('takes tags in place of those before, and merges metadata', async () => {
    const { document_id: id } = await register(tenant, scopeId)
    expect(await update(id, {})).toMatchObject({ tags: [], metadata: {} })
    await update(id, { tags: ['b', 'a', 'b', '💠 é'], metadata: { matter: '7/2025', 'court.file': 'x:y' } })
    const answer = await update(id, { metadata: { matter: null, owner: 'Jo Doe', never: null } })
    expect(answer).toMatchObject({
      tags: ['b', 'a', '💠 é'],
      metadata: { 'court.file': 'x:y', owner: 'Jo Doe' },
    })
    expect(answer.metadata).not.toHaveProperty('matter')
    expect(await readDocument(tenant, scopeId, id)).toMatchObject(answer)
    expect(await update(id, { tags: [] })).toMatchObject({ tags: [], metadata: { owner: 'Jo Doe' } })
  })

  it('changes nothing else, keeps labels over versions, and loses them with the document', async () => {
    const id = newDocumentId()
    await ingest(tenant, scopeId, { document_id: id })
    const before = await untilEnded(tenant, scopeId, id)
    const labels = { tags: ['kept'], metadata: { owner: 'Jo' } }
    const { updated_at: updatedAt, ...after } = await update(id, labels)
    expect(before).toMatchObject({ ...after, tags: [], metadata: {} })
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(before.updated_at))
    await ingest(tenant, scopeId, { document_id: id, text: 'Other words.' })
    expect(await untilEnded(tenant, scopeId, id)).toMatchObject({ version: 2, ...labels })
    await remove(tenant, scopeId, id)
    expect(await readDocument(tenant, scopeId, id)).toMatchObject({ tags: [], metadata: {} })
    subject.expectProblem(await subject.call(ask(id, labels)), 'document_not_found')
    await ingest(tenant, scopeId, { document_id: id })
    expect(await untilEnded(tenant, scopeId, id)).toMatchObject({ tags: [], metadata: {} })
  })

  it('is found in lists by whole tags and whole pairs', async () => {
    const { scope_id: scope } = await createScope(tenant)
    const set = async (id: string, body: object) => {
      await register(tenant, scope, { document_id: id })
      subject.expectAnswer(await subject.call(ask(id, body, scope)), 200)
    }
    await set('a', { tags: ['lease', 'old'], metadata: { matter: '7:2025' } })
    await set('b', { tags: ['lease'], metadata: { matter: '8' } })
    await set('c', { tags: ['leases'], metadata: { other: '8' } })
    const find = async (query: string) => {
      const call = { headers: bearer(tenant.key), params: { scopeId: scope }, query }
      return (await make('listDocuments', call)).items.map((each) => each.document_id)
    }
    expect(await find('tag=lease')).toEqual(['a', 'b'])
    expect(await find('tag=lease&order=updated_desc')).toEqual(['b', 'a'])
    expect(await find('tag=Lease')).toEqual([])
    expect(await find('metadata=matter:7:2025')).toEqual(['a'])
    expect(await find('metadata=matter:8&tag=lease')).toEqual(['b'])
    expect(await find('metadata=matter:8&tag=old')).toEqual([])
    subject.expectAnswer(await subject.call(ask('a', { tags: ['old'] }, scope)), 200)
    expect(await find('tag=lease')).toEqual(['b'])
  })
})

describe('updateDocument: 422', () => {
  const many = Object.fromEntries(names(20).map((name) => [name, 'x']))

  it('takes tags and metadata up to their bounds', async () => {
    const { document_id: id } = await register(tenant, scopeId)
    const tags = names(20).map((name) => name.padEnd(50, '-'))
    const metadata = Object.fromEntries(names(20).map((name) => [name.padEnd(40, '-'), '💠'.repeat(200)]))
    expect(await update(id, { tags, metadata })).toMatchObject({ tags, metadata })
  })

  it.each<[string, object]>([
    ['#/tags', { tags: names(21) }],
    ['#/tags', { tags: null }],
    ['#/tags/0', { tags: [''] }],
    ['#/tags/0', { tags: ['a,b'] }],
    ['#/tags/1', { tags: ['a', 'a'.repeat(51)] }],
    ['#/metadata', { metadata: { ...many, more: 'x' } }],
    ['#/metadata/a:b', { metadata: { 'a:b': 'x' } }],
    ['#/metadata/a', { metadata: { a: '' } }],
    ['#/metadata/a', { metadata: { a: 'x'.repeat(201) } }],
    ['#/metadata/a', { metadata: { a: { b: 'x' } } }],
  ])('refuses %s of %j', async (pointer, body) => {
    const reply = await subject.call(ask(known, body))
    subject.expectProblem(reply, 'validation_failed', { pointers: [pointer] })
  })

  it('counts what is there already', async () => {
    const { document_id: id } = await register(tenant, scopeId)
    await update(id, { metadata: many })
    const reply = await subject.call(ask(id, { metadata: { more: 'x' } }))
    subject.expectProblem(reply, 'validation_failed', { pointers: ['#/metadata'] })
    expect(await update(id, { metadata: { more: 'x', n0: null } })).toMatchObject({ metadata: { more: 'x' } })
  })
})

describeDocumentPlace(
  subject,
  () => tenant,
  (scope, documentId) => ask(documentId, { tags: ['x'] }, scope),
)
describeScopePlace(subject, (scope) => ask(known, {}, scope))
describeParams(subject, good, 'scopeId', 'documentId')
describeTenantEntrance(subject, good, () => tenant)
describeBodies(subject, good)
describeEveryOperation(subject, good)
describeCompleteness(subject)
