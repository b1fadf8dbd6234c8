/** listClaims: what the documents of a scope claim, with the words they say it in. */
import { beforeAll, describe, expect, it } from 'vitest'
import { sameForAll } from '../../problem-document.ts'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describePages, firstCursor } from '../../rules/pages.ts'
import { describeParams } from '../../rules/params.ts'
import { describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { charactersOf, claimsOf, HEADCOUNTS, OPENING, REVENUES, tell } from '../../world/claims.ts'
import type { ReportedClaim } from '../../world/claims.ts'
import { ingest, newDocumentId, register, remove, untilEnded } from '../../world/documents.ts'
import { make } from '../../world/making.ts'
import { asAdmin, asAdminOf, bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('listClaims')
const scopeId = newScopeId()
const text = `${OPENING}${REVENUES[0]} ${HEADCOUNTS[0]}`
/** In the order of their ids. */
const documents = ['a', 'b', 'c']
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  for (const id of documents.toReversed()) await tell(tenant, scopeId, text, id)
})

const good = () => ({ headers: bearer(tenant.key), params: { scopeId } })
const list = async (query = '', scope = scopeId) =>
  subject.expectAnswer(await subject.call({ ...good(), params: { scopeId: scope }, query }), 200)

const ask = (id: string) => subject.call({ ...good(), query: `document_id=${encodeURIComponent(id)}` })

describe('listClaims: 200', () => {
  it('quotes the words of the document, at their place in code points', async () => {
    const { items } = await list('document_id=a')
    expect(items.length).toBeGreaterThanOrEqual(2)
    for (const { quote, start, end, value } of items) {
      expect(charactersOf(text, start, end)).toBe(quote)
      expect(quote).toContain(value.text)
    }
  })

  it('says what is claimed of what, for when', async () => {
    const money = (await list('document_id=a&kind=money')).items
    expect(money).toEqual([
      expect.objectContaining({
        document_id: 'a',
        version: 1,
        kind: 'money',
        entity: expect.stringMatching(/borealis/i),
        attribute: expect.stringMatching(/revenue/i),
        value: expect.objectContaining({ kind: 'money', low: 12_400_000, high: 12_400_000, unit: 'EUR' }),
        polarity: 'affirmed',
        modality: 'actual',
        period: '2025',
        quote: REVENUES[0],
      }),
    ])
  })

  it('is in the order of documents, and within one of their places', async () => {
    const { items } = await list()
    expect(items.map((each) => each.document_id)).toEqual(items.map((each) => each.document_id).toSorted())
    for (const id of documents) {
      const starts = items.filter((each) => each.document_id === id).map((each) => each.start)
      expect(starts.toSorted((a, b) => a - b)).toEqual(starts)
    }
  })

  it('is empty for a scope whose documents claim nothing', async () => {
    const { scope_id: scope } = await createScope(tenant)
    expect(await list('', scope)).toEqual({ items: [], next_cursor: null })
    await tell(tenant, scope, 'Hello there.')
    expect(await list('', scope)).toEqual({ items: [], next_cursor: null })
  })

  it('shows the same at every process, and changes nothing by that', async () => {
    const urls = [...theTarget().urls, ...theTarget().urls]
    const replies = await Promise.all(urls.map((url) => subject.call({ ...good(), url })))
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
  })

  it('reads the same in the same text, in whatever document', async () => {
    const [a, b] = await Promise.all(['a', 'b'].map(async (id) => (await list(`document_id=${id}`)).items))
    expect(a?.map(withoutPlace)).toEqual(b?.map(withoutPlace))
  })
})

function withoutPlace(claim: ReportedClaim): Partial<ReportedClaim> {
  return { ...claim, claim_id: '', document_id: '', extracted_at: '' }
}

describe('listClaims: 200 for a part of them', () => {
  it.each(documents)('shows those of document %s', async (id) => {
    const { items } = await list(`document_id=${id}`)
    expect(new Set(items.map((each) => each.document_id))).toEqual(new Set([id]))
  })

  it('shows those of one kind', async () => {
    const { items } = await list('kind=money')
    expect(items.map((each) => [each.document_id, each.kind])).toEqual(documents.map((id) => [id, 'money']))
    expect((await list('kind=version')).items).toEqual([])
  })

  it('shows none of a document without claims', async () => {
    const { document_id: empty } = await register(tenant, scopeId)
    expect((await list(`document_id=${empty}`)).items).toEqual([])
  })
})

describe('listClaims: 200 as documents change', () => {
  it('shows the claims of the version that is in force, and of no other', async () => {
    const { scope_id: scope } = await createScope(tenant)
    const documentId = await tell(tenant, scope, REVENUES[0])
    const [first] = await claimsOf(tenant, scope, 'kind=money')
    await ingest(tenant, scope, { document_id: documentId, text: REVENUES[1] })
    await untilEnded(tenant, scope, documentId)
    const claims = await claimsOf(tenant, scope, 'kind=money')
    expect(claims.map((each) => [each.version, each.quote])).toEqual([[2, REVENUES[1]]])
    expect(claims[0]?.claim_id).not.toBe(first?.claim_id)
    expect(new Set((await claimsOf(tenant, scope)).map((each) => each.version))).toEqual(new Set([2]))
  })

  it('shows none of a document that was removed, nor any after a reset', async () => {
    const { scope_id: scope } = await createScope(tenant)
    const [gone, kept] = [await tell(tenant, scope, REVENUES[0]), await tell(tenant, scope, REVENUES[0])]
    await remove(tenant, scope, gone)
    const left = await claimsOf(tenant, scope)
    expect(new Set(left.map((each) => each.document_id))).toEqual(new Set([kept]))
    const reset = await make('resetScope', { headers: asAdminOf(tenant), params: { scopeId: scope } })
    expect(reset.removed.claims).toBe(left.length)
    expect(await claimsOf(tenant, scope)).toEqual([])
  })
})

describe('listClaims: 404 for a document', () => {
  it('does not know one that is not there', async () => {
    subject.expectProblem(await ask('unknown'), 'document_not_found')
  })

  it('does not know that of another tenant, and says so in the same words', async () => {
    const other = await createTenant()
    await createScope(other, scopeId)
    const foreign = await tell(other, scopeId, REVENUES[0])
    const reply = await ask(foreign)
    subject.expectProblem(reply, 'document_not_found')
    expect(sameForAll(reply)).toEqual(sameForAll(await ask(newDocumentId())))
  })
})

/** Which of the two figures are found; a sentence may be the place of a claim of another kind as well. */
async function kindsOf(query: string) {
  const { items } = await list(`document_id=a&${query}`)
  return items.map((each) => each.kind).filter((kind) => kind === 'money' || kind === 'count')
}

describe('listClaims: 200 for a search', () => {
  it('finds claims by how their words begin, in any case and order', async () => {
    expect(await kindsOf('q=REVEN')).toEqual(['money'])
    expect(await kindsOf('q=2025%20borealis%20employ')).toEqual(['count'])
    expect(await kindsOf('q=revenue%20employees')).toEqual([])
    expect(await kindsOf('q=evenue')).toEqual([])
    expect(await kindsOf('q=%21%21')).toEqual([])
  })

  it('finds claims by what they are about and for when', async () => {
    expect(await kindsOf('entity=borealis&attribute=revenue')).toEqual(['money'])
    expect(await kindsOf('entity=zephyr')).toEqual([])
    expect(await kindsOf('attribute=revenue&period=2025-Q2')).toEqual(['money'])
    expect(await kindsOf('attribute=revenue&period=2024-07-01/2025-01-01')).toEqual(['money'])
    expect(await kindsOf('attribute=revenue&period=2024')).toEqual([])
  })

  it('searches all documents page by page', async () => {
    const first = await list('q=revenue&kind=money&limit=2')
    const rest = await list(`q=revenue&kind=money&limit=2&cursor=${first.next_cursor}`)
    expect([...first.items, ...rest.items].map((each) => each.document_id)).toEqual(documents)
    expect(rest.next_cursor).toBeNull()
  })
})

describe('listClaims: 422', () => {
  it.each([
    ['q', ['', '%00', 'a'.repeat(201)]],
    ['entity', ['', '%00', 'a'.repeat(201)]],
    ['attribute', ['', '%00', 'a'.repeat(201)]],
    ['period', ['', '25', '2025-13', '2025-Q5', '2025-1', '2025/2026', 'last%20year']],
  ])('refuses a %s that cannot be', async (name, values) => {
    for (const value of values) {
      const reply = await subject.call({ ...good(), query: `${name}=${value}` })
      subject.expectProblem(reply, 'validation_failed', { pointers: [`query#/${name}`] })
    }
  })

  it.each(['', 'Money', 'value', 'money,date', 'money&kind=date', '%00'])(
    'refuses the kind %s',
    async (kind) => {
      const reply = await subject.call({ ...good(), query: `kind=${kind}` })
      subject.expectProblem(reply, 'validation_failed', { pointers: ['query#/kind'] })
    },
  )

  it.each(['', '%00', 'a'.repeat(201)])('refuses the document id %s', async (id) => {
    const reply = await subject.call({ ...good(), query: `document_id=${id}` })
    subject.expectProblem(reply, 'validation_failed', { pointers: ['query#/document_id'] })
  })
})

describePages<ReportedClaim>(subject, {
  list: good,
  idOf: (item) => item.claim_id,
  present: () => [],
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
