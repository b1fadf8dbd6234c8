/** listDocuments: the documents of a scope, all or those of one status. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePages, firstCursor, walk } from '../../rules/pages.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { attach, ingest, readDocument, register, remove, untilEnded } from '../../world/documents.ts'
import { asAdmin, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

interface Item {
  readonly document_id: string
}

const subject = createSubject('listDocuments')
const scopeId = newScopeId()
/** In the order of their code points, which is not that of any dictionary, nor that of UTF-16. */
const ids = [' ', '"', '../..', '0', '00', 'A', 'Z', 'a', 'a/b', 'aa', 'z', 'ä', '\uffee', '💠', '💠💠']
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  for (const id of ids.toReversed()) await register(tenant, scopeId, { document_id: id })
})

const good = () => ({ headers: bearer(tenant.key), params: { scopeId } })
const list = async (scope: string, query = '') =>
  subject.expectAnswer(await subject.call({ ...good(), params: { scopeId: scope }, query }), 200)

describe('listDocuments: 200', () => {
  it('shows each document as it is read by itself, but for its versions', async () => {
    const { scope_id: scope } = await createScope(tenant)
    const fields = { document_id: 'a', name: 'Report', type: '', source: 'mail', provenance: 'sha256:0' }
    await attach(tenant, scope, fields)
    await ingest(tenant, scope, { document_id: 'b' })
    await untilEnded(tenant, scope, 'b')
    const { items, next_cursor: next } = await list(scope)
    const read = await Promise.all(['a', 'b'].map((id) => readDocument(tenant, scope, id)))
    expect(items).toEqual(
      read.map((document) => ({ ...document, versions: undefined, next_versions_cursor: undefined })),
    )
    expect(next).toBeNull()
  })

  it('is empty for a scope without documents', async () => {
    const { scope_id: scope } = await createScope(tenant)
    expect(await list(scope)).toEqual({ items: [], next_cursor: null })
  })

  it('has exactly the documents of the scope, in the order of their ids', async () => {
    const [page] = await walk<Item>(subject, good(), 100)
    expect(page?.items.map((item) => item.document_id)).toEqual(ids)
  })

  it('misses and repeats nothing while documents are added during the walk', async () => {
    const { scope_id: scope } = await createScope(tenant)
    for (const id of ['b', 'd', 'f']) await register(tenant, scope, { document_id: id })
    const call = { ...good(), params: { scopeId: scope } }
    const cursor = await firstCursor(subject, call)
    await register(tenant, scope, { document_id: 'a' })
    await register(tenant, scope, { document_id: 'e' })
    const rest = await walk<Item>(subject, call, 1, cursor)
    expect(rest.flatMap((page) => page.items.map((item) => item.document_id))).toEqual(['d', 'e', 'f'])
  })

  it.each(['a', '"', '\u0001', '\n', 'ä', '💠'])(
    'walks past ids of 200 characters like %j',
    async (character) => {
      const { scope_id: scope } = await createScope(tenant)
      const longest = ['a', 'b', 'c'].map((last) => character.repeat(199) + last)
      for (const id of longest) await register(tenant, scope, { document_id: id })
      const pages = await walk<Item>(subject, { ...good(), params: { scopeId: scope } }, 1)
      expect(pages.flatMap((page) => page.items.map((item) => item.document_id))).toEqual(longest)
    },
  )
})

describe('listDocuments: 200 for one status', () => {
  let scope: string
  const statuses = ['registered', 'attached', 'processed', 'removed']

  beforeAll(async () => {
    scope = (await createScope(tenant)).scope_id
    for (const place of ['1', '2', '3']) {
      await register(tenant, scope, { document_id: `${place} registered` })
      await attach(tenant, scope, { document_id: `${place} attached` })
      await ingest(tenant, scope, { document_id: `${place} processed` })
      await register(tenant, scope, { document_id: `${place} removed` })
      await remove(tenant, scope, `${place} removed`)
    }
    for (const place of ['1', '2', '3']) await untilEnded(tenant, scope, `${place} processed`)
  })

  it.each(statuses)('shows those that are %s, page by page', async (status) => {
    const seen: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null && pages < 5; pages += 1) {
      const { items, next_cursor: next } = await list(
        scope,
        `status=${status}&limit=2${cursor && `&cursor=${cursor}`}`,
      )
      expect(items.filter((item) => item.status !== status)).toEqual([])
      seen.push(...items.map((item) => item.document_id))
      cursor = next
    }
    expect(seen).toEqual(['1', '2', '3'].map((place) => `${place} ${status}`))
  })

  it.each(['queued', 'processing', 'held', 'failed', 'superseded'])('has none that is %s', async (status) => {
    expect(await list(scope, `status=${status}`)).toEqual({ items: [], next_cursor: null })
  })

  it('shows all of them without a filter', async () => {
    expect((await list(scope)).items).toHaveLength(12)
  })
})

describe('listDocuments: 200 for a part of them, in an order', () => {
  let scope: string
  const idsOf = async (query: string) => (await list(scope, query)).items.map((item) => item.document_id)

  beforeAll(async () => {
    scope = (await createScope(tenant)).scope_id
    await register(tenant, scope, { document_id: 'c', name: 'Annual report', source: 'https://one.example' })
    await attach(tenant, scope, { document_id: 'a', name: 'ANNUAL accounts', type: 'md' })
    await register(tenant, scope, { document_id: 'b', name: 'Minutes', source: 'Mail' })
  })

  it('shows those in any of several statuses', async () => {
    expect(await idsOf('status=attached,registered')).toEqual(['a', 'b', 'c'])
    expect(await idsOf('status=attached,failed')).toEqual(['a'])
  })

  it('compares how name and source begin in any case, and the whole type', async () => {
    expect(await idsOf('name=annual')).toEqual(['a', 'c'])
    expect(await idsOf('name=annual%20r')).toEqual(['c'])
    expect(await idsOf('name=report')).toEqual([])
    expect(await idsOf('source=mail')).toEqual(['b'])
    expect(await idsOf('type=md')).toEqual(['a'])
    expect(await idsOf('type=m')).toEqual([])
    expect(await idsOf('type=md&name=minutes')).toEqual([])
  })

  it('has the oldest or the newest change first, page by page', async () => {
    expect(await idsOf('order=id')).toEqual(['a', 'b', 'c'])
    for (const [order, expected] of [
      ['updated', ['c', 'a', 'b']],
      ['updated_desc', ['b', 'a', 'c']],
    ] as const) {
      const [first, second] = [
        await list(scope, `order=${order}&limit=1`),
        await list(scope, `order=${order}`),
      ]
      const rest = await list(scope, `order=${order}&limit=5&cursor=${first.next_cursor}`)
      expect([...first.items, ...rest.items]).toEqual(second.items)
      expect(second.items.map((item) => item.document_id)).toEqual(expected)
    }
  })

  it('shows those that changed at an instant or later', async () => {
    const [last] = (await list(scope, 'order=updated_desc&limit=1')).items
    expect(await idsOf(`updated_since=${last?.updated_at}`)).toContain('b')
    expect(await idsOf('updated_since=2100-01-01T00:00:00Z')).toEqual([])
  })

  it('gives no cursor that serves another order', async () => {
    const { next_cursor: cursor } = await list(scope, 'order=updated&limit=1')
    for (const order of ['id', 'updated_desc']) {
      const reply = await subject.call({
        ...good(),
        params: { scopeId: scope },
        query: `order=${order}&cursor=${cursor}`,
      })
      subject.expectProblem(reply, 'validation_failed', { pointers: ['query#/cursor'] })
    }
  })
})

describe('listDocuments: 422', () => {
  it.each([
    ['name', ['', '%00', 'a'.repeat(501)]],
    ['source', ['', '%00', 'a'.repeat(501)]],
    ['type', ['%00', 'a'.repeat(51)]],
    ['tag', ['', 'a,b', 'a'.repeat(51)]],
    ['metadata', ['', 'a', ':a', 'a:', 'a%20b:c', `a:${'b'.repeat(240)}`, `${'a'.repeat(41)}:b`]],
    ['updated_since', ['', 'yesterday', '2026-11-15', '2026-11-15T09:30:00%2B01:00']],
    ['order', ['', 'name', 'ID', 'id,updated']],
  ])('refuses a %s that cannot be', async (name, values) => {
    for (const value of values) {
      const reply = await subject.call({ ...good(), query: `${name}=${value}` })
      subject.expectProblem(reply, 'validation_failed', { pointers: [`query#/${name}`] })
    }
  })

  it.each(['', 'done', 'Processed', 'processed,', 'processed,done', 'processed&status=failed', '%00'])(
    'refuses the status %s',
    async (status) => {
      const reply = await subject.call({ ...good(), query: `status=${status}` })
      subject.expectProblem(reply, 'validation_failed', { pointers: ['query#/status'] })
    },
  )
})

describePages<Item>(subject, {
  list: good,
  idOf: (item) => item.document_id,
  present: () => ids,
  anyId: true,
  foreignCursor: async () => {
    await createTenant()
    return firstCursor(createSubject('listTenants'), { headers: asAdmin() })
  },
})
describeScopePlace(subject, (scope) => ({ ...good(), params: { scopeId: scope } }))
describeParams(subject, good, 'scopeId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
