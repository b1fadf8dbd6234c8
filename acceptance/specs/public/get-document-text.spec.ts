/** getDocumentText: the text of a document, by ranges that quotes fit. */
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeDocumentPlace, describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject } from '../../subject.ts'
import { claimsOf, contradict, contradictionsOf, OPENING, REVENUES, tell } from '../../world/claims.ts'
import { ingest, newDocumentId, register, remove, untilEnded } from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getDocumentText')
const scopeId = newScopeId()
const TEXT = `${OPENING}${REVENUES[0]}`
const CHARACTERS = Array.from(TEXT).length
let tenant: Tenant
let documentId: string

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  documentId = await tell(tenant, scopeId, TEXT)
})

const ask = (id: string, query = '', scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope, documentId: id },
  query,
})
const good = () => ask(documentId)
const read = async (query: string, id = documentId, scope = scopeId) =>
  subject.expectAnswer(await subject.call(ask(id, query, scope)), 200)

describe('getDocumentText: 200', () => {
  it('answers with the text as it was sent', async () => {
    expect(await read('')).toEqual({
      scope_id: scopeId,
      document_id: documentId,
      version: 1,
      start: 0,
      end: CHARACTERS,
      characters: CHARACTERS,
      text: TEXT,
    })
  })

  it.each([
    ['start=0&end=3', 0, 3],
    ['start=1&end=2', 1, 2],
    ['start=8', 8, CHARACTERS],
    ['start=5&end=5', 5, 5],
    ['end=9000', 0, CHARACTERS],
    ['start=9000&end=9001', CHARACTERS, CHARACTERS],
  ])('counts code points and stays within the text: %s', async (query, start, end) => {
    const text = Array.from(TEXT).slice(start, end).join('')
    expect(await read(query)).toMatchObject({ start, end, text })
  })

  it('gives the quote of every claim and of both sides of a contradiction by their offsets', async () => {
    const { scope_id: scope } = await createScope(tenant)
    await contradict(tenant, scope)
    const [found] = await contradictionsOf(tenant, scope)
    if (!found) throw new Error('Two documents that contradict each other were found to agree.')
    const claims = await claimsOf(tenant, scope)
    expect(claims.length).toBeGreaterThan(1)
    for (const { document_id: id, version, start, end, quote } of [...claims, found.a, found.b])
      expect((await read(`start=${start}&end=${end}&version=${version}`, id ?? '', scope)).text).toBe(quote)
  })

  it('keeps the text of an older version beside that of the newest', async () => {
    const id = await tell(tenant, scopeId, 'First.')
    await ingest(tenant, scopeId, { document_id: id, text: 'Second.' })
    await untilEnded(tenant, scopeId, id)
    expect(await read('', id)).toMatchObject({ version: 2, text: 'Second.' })
    expect(await read('version=1', id)).toMatchObject({ version: 1, text: 'First.' })
  })

  it('gives a long text in pieces that fit each other', async () => {
    const text = '💠 Nothing of note. '.repeat(2_000)
    const id = newDocumentId()
    await ingest(tenant, scopeId, { document_id: id, text })
    const first = await read('', id)
    expect(first).toMatchObject({ start: 0, end: 20_000 })
    const second = await read(`start=${first.end}`, id)
    expect(second.end).toBe(Array.from(text).length)
    expect(first.text + second.text).toBe(text)
  })
})

describe('getDocumentText: 400', () => {
  it.each(['start=5&end=4', 'end=20001', 'start=10&end=20011'])('refuses the range %s', async (query) => {
    subject.expectProblem(await subject.call(ask(documentId, query)), 'validation_failed', {
      pointers: ['query#/end'],
      rules: ['out_of_range'],
    })
  })

  it.each(['start=-1', 'start=1.5', 'end=x', 'start=9999999999', 'version=0', 'other=1'])(
    'refuses %s',
    async (query) => {
      subject.expectProblem(await subject.call(ask(documentId, query)), 'validation_failed')
    },
  )
})

describe('getDocumentText: 404', () => {
  it('has no text of a version that never was, nor of a document without text', async () => {
    subject.expectProblem(await subject.call(ask(documentId, 'version=7')), 'text_not_found')
    const { document_id: registered } = await register(tenant, scopeId)
    subject.expectProblem(await subject.call(ask(registered)), 'text_not_found')
  })

  it('does not know a removed document', async () => {
    const id = await tell(tenant, scopeId, 'To be removed.')
    await remove(tenant, scopeId, id)
    subject.expectProblem(await subject.call(ask(id)), 'document_not_found')
    subject.expectProblem(await subject.call(ask(id, 'version=1')), 'document_not_found')
  })
})

describeDocumentPlace(
  subject,
  () => tenant,
  (scope, id) => ask(id, '', scope),
)
describeScopePlace(subject, (scope) => ask(documentId, '', scope))
describeParams(subject, good, 'scopeId', 'documentId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
