/** getDocument: where a document stands, without its text. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeCompleteness, describeEveryOperation } from '../../rules/every-operation.ts'
import { describeParams } from '../../rules/params.ts'
import { describeDocumentPlace, describeScopePlace } from '../../rules/places.ts'
import { describeTenantEntrance } from '../../rules/tenant-entrance.ts'
import { createSubject, withHeaders } from '../../subject.ts'
import { theTarget } from '../../target.ts'
import { attach, ingest, newDocumentId, register, untilEnded } from '../../world/documents.ts'
import type { Detail } from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const subject = createSubject('getDocument')
const scopeId = newScopeId()
const documentId = newDocumentId()
const canary = `canary-${randomUUID()}`
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
  await ingest(tenant, scopeId, { document_id: documentId, name: 'Report', text: `It says ${canary}.` })
  await untilEnded(tenant, scopeId, documentId)
})

const ask = (id: string, scope = scopeId) => ({
  headers: bearer(tenant.key),
  params: { scopeId: scope, documentId: id },
})
const good = () => ask(documentId)
const askWith = (tag: string, id = documentId) => subject.call(withHeaders(ask(id), { 'if-none-match': tag }))

describe('getDocument: 200', () => {
  it('answers with where the document stands and nothing else', async () => {
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const reading: unknown = expect.objectContaining({ reader: 'rules', read: 'whole' })
    expect(subject.expectAnswer(await subject.call(good()), 200)).toEqual({
      scope_id: scopeId,
      document_id: documentId,
      name: 'Report',
      type: 'txt',
      source: null,
      provenance: null,
      tags: [],
      metadata: {},
      version: 1,
      status: 'processed',
      stage: null,
      attempt: 1,
      error: null,
      hold: null,
      waiting_for: null,
      waiting_reason: null,
      unread: [],
      unread_total: 0,
      reading,
      created_at: instant,
      updated_at: instant,
      versions: [
        {
          version: 1,
          status: 'processed',
          characters: `It says ${canary}.`.length,
          reading,
          received_at: instant,
          queued_at: instant,
          started_at: instant,
          ended_at: instant,
        },
      ],
      next_versions_cursor: null,
    })
  })

  it('tells times in the order in which things happened', async () => {
    const document = subject.expectAnswer(await subject.call(good()), 200)
    const [version] = document.versions
    const {
      received_at: received = '',
      queued_at: queued,
      started_at: started,
      ended_at: ended,
    } = version ?? {}
    const times = [received, queued, started, ended].map(String)
    expect(times.toSorted()).toEqual(times)
    expect(document.created_at <= document.updated_at).toBe(true)
  })

  it('does not send the text back', async () => {
    expect((await subject.call(good())).text).not.toContain(canary)
  })

  it.each(['a/b', '../..', '%2e%2e', 'a?b#c', '+ &=', "'; --", 'ä\u0301', '\u0001', '\n', '💠'.repeat(200)])(
    'finds the id %j',
    async (id) => {
      const made = await register(tenant, scopeId, { document_id: id })
      expect(subject.expectAnswer(await subject.call(ask(id)), 200)).toEqual({
        ...made,
        versions: [],
        next_versions_cursor: null,
      })
    },
  )

  it('shows the same at every process, and changes nothing by that', async () => {
    const replies = await Promise.all(
      [...theTarget().urls, ...theTarget().urls].map((url) => subject.call({ ...good(), url })),
    )
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(new Set(replies.map(({ headers }) => headers['etag'])).size).toBe(1)
  })
})

describe('getDocument: 200 with a page of its versions', () => {
  it('shows each once, newest first, and says where the next page begins', async () => {
    const id = newDocumentId()
    for (const text of ['One.', 'Two.', 'Three.']) await attach(tenant, scopeId, { document_id: id, text })
    const pages: number[][] = []
    let query: string | undefined = 'versions_limit=2'
    while (query !== undefined) {
      const page: Detail = subject.expectAnswer(await subject.call({ ...ask(id), query }), 200)
      pages.push(page.versions.map(({ version }) => version))
      const next: string | null = page.next_versions_cursor
      query = next === null ? undefined : `versions_limit=2&versions_cursor=${next}`
    }
    expect(pages).toEqual([[3, 2], [1]])
  })

  it.each(['versions_limit=0', 'versions_limit=101', 'versions_cursor=W10', 'versions_cursor='])(
    'refuses %s',
    async (query) => {
      const pointers = [`query#/${query.split('=')[0] ?? ''}`]
      subject.expectProblem(await subject.call({ ...good(), query }), 'validation_failed', { pointers })
    },
  )

  it.each(['limit', 'cursor', 'versions', 'tenant_id'])('refuses the unknown parameter %s', async (name) => {
    const reply = await subject.call({ ...good(), query: `${name}=1` })
    subject.expectProblem(reply, 'validation_failed', { pointers: [`query#/${name}`] })
  })
})

describe('getDocument: 304', () => {
  it.each<readonly [string, (tag: string) => string]>([
    ['alone', (tag) => tag],
    ['as a weak one', (tag) => `W/${tag}`],
    ['among others', (tag) => `"other", ${tag},"more"`],
  ])('spares the body who has it: the tag %s', async (_, present) => {
    const tag = (await subject.call(good())).headers['etag'] ?? ''
    const reply = await askWith(present(tag))
    expect(reply).toMatchObject({ status: 304, text: '' })
    expect(reply.headers['etag']).toBe(tag)
    expect(reply.headers['x-request-id']).toMatch(/^\S+$/)
  })

  it.each(['"other"', '""', 'other', 'W/"other"'])('shows all to who has something else: %s', async (tag) => {
    subject.expectAnswer(await askWith(tag), 200)
  })

  it('shows all again once the document has changed', async () => {
    const id = newDocumentId()
    await register(tenant, scopeId, { document_id: id })
    const tag = (await subject.call(ask(id))).headers['etag'] ?? ''
    await attach(tenant, scopeId, { document_id: id })
    const changed = await askWith(tag, id)
    expect(subject.expectAnswer(changed, 200).status).toBe('attached')
    expect(changed.headers['etag']).not.toBe(tag)
  })

  it('asks for the key first', async () => {
    const tag = (await subject.call(good())).headers['etag'] ?? ''
    const reply = await subject.call({ params: { scopeId, documentId }, headers: { 'if-none-match': tag } })
    subject.expectProblem(reply, 'credential_missing')
  })
})

describeDocumentPlace(
  subject,
  () => tenant,
  (scope, id) => ask(id, scope),
)
describeScopePlace(subject, (scope) => ask(documentId, scope))
describeParams(subject, good, 'scopeId', 'documentId')
describeTenantEntrance(subject, good, () => tenant)
describeEveryOperation(subject, good)
describeCompleteness(subject)
