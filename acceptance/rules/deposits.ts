/** A document that is handed in with its text but not queued: it waits, attached, until somebody triggers its scope. */
import { waitUntil } from '@concord/tools/launch'
import { beforeAll, describe, expect, it } from 'vitest'
import { kindsOf } from '../events.ts'
import type { Reply } from '../http/exchange.ts'
import type { SubjectCall, Subject } from '../subject.ts'
import { ingest, newDocumentId, readDocument, remove, trigger, untilEnded } from '../world/documents.ts'
import type { DocumentFields } from '../world/documents.ts'
import { make } from '../world/making.ts'
import { bearer, createScope } from '../world/tenants.ts'
import type { Tenant } from '../world/tenants.ts'

export interface Deposits {
  readonly owner: () => Tenant
  /** A call that hands in a document with these fields, and a text where none is among them. */
  readonly call: (scopeId: string, fields: DocumentFields) => SubjectCall
}

type Record201 = Readonly<Record<string, unknown>> & { readonly document_id: string }

export function describeDeposits(subject: Subject, deposits: Deposits): void {
  describeAttached(subject, deposits)
  describeHtml(subject, deposits)
  describeLabels(subject, deposits)
  describeRepeated(subject, deposits)
  describeNewVersions(subject, deposits)
  describeBusy(subject, deposits)
}

/** A scope for one group of tests. */
function useScope({ owner }: Deposits): () => string {
  let scopeId = ''
  beforeAll(async () => {
    scopeId = (await createScope(owner())).scope_id
  })
  return () => scopeId
}

function describeAttached(subject: Subject, deposits: Deposits): void {
  const { owner, call } = deposits
  describe(`${subject.operation.name}: 201 with text`, () => {
    const scope = useScope(deposits)
    const deposit = async (fields: DocumentFields) =>
      subject.expectForm(await subject.call(call(scope(), fields)), 201) as Record201

    it('answers with the record and nothing else', async () => {
      const fields = { document_id: newDocumentId(), name: 'Report', source: 'mail', provenance: 'sha256:0' }
      expect(await deposit({ ...fields, type: 'md' })).toEqual({
        ...fields,
        scope_id: scope(),
        type: 'md',
        version: 1,
        status: 'attached',
        stage: null,
        attempt: 0,
        error: null,
        hold: null,
        tags: [],
        metadata: {},
        waiting_for: null,
        waiting_reason: null,
        unread: [],
        unread_total: 0,
        reading: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      })
    })

    it('fills in what is left out', async () => {
      const record = await deposit({})
      expect(record).toMatchObject({ type: 'txt', source: null, provenance: null })
      expect(record.document_id).toMatch(/^.{1,200}$/)
      expect((await deposit({})).document_id).not.toBe(record.document_id)
    })

    it('says in Location where it can be read, with one version that waits', async () => {
      const reply = await subject.call(call(scope(), { text: 'Ünïcödé 💠' }))
      const record = subject.expectForm(reply, 201) as Record201
      expect(reply.headers['location']).toBe(`/api/scopes/${scope()}/documents/${record.document_id}`)
      const {
        versions,
        next_versions_cursor: next,
        ...document
      } = await readDocument(owner(), scope(), record.document_id)
      expect(document).toEqual(record)
      expect(next).toBeNull()
      expect(versions).toEqual([
        {
          version: 1,
          status: 'attached',
          characters: 9,
          reading: null,
          received_at: expect.any(String),
          queued_at: null,
          started_at: null,
          ended_at: null,
        },
      ])
    })

    it('is not read by itself, however much is read around it', async () => {
      const { document_id: documentId } = await deposit({})
      const { document_id: other } = await ingest(owner(), scope())
      await untilEnded(owner(), scope(), other ?? '')
      expect((await readDocument(owner(), scope(), documentId)).status).toBe('attached')
      expect(await kindsOf(owner(), scope(), documentId)).toEqual(['document.attached'])
    })
  })
}

function describeHtml(subject: Subject, deposits: Deposits): void {
  describe(`${subject.operation.name}: 422 for HTML as text`, () => {
    const scope = useScope(deposits)

    it('refuses what no reader reads, and says how to send it', async () => {
      const page = '<html><body><p>Revenue was EUR 12.4m.</p></body></html>'
      const sent = (type: string) => subject.call(deposits.call(scope(), { type, text: page }))
      subject.expectProblem(await sent('html'), 'validation_failed', {
        pointers: ['#/text'],
        rules: ['html_not_text'],
      })
      subject.expectForm(await sent('txt'), 201)
    })
  })
}

function describeLabels(subject: Subject, deposits: Deposits): void {
  const { owner, call } = deposits
  describe(`${subject.operation.name}: tags and metadata`, () => {
    const scope = useScope(deposits)
    const deposit = async (fields: DocumentFields) =>
      subject.expectForm(await subject.call(call(scope(), fields)), 201) as Record201

    it('are set with the document, and found by lists', async () => {
      const labels = { tags: ['lease', '2025'], metadata: { matter: '7:2025', owner: 'Jo Doe' } }
      const { document_id: id } = await deposit({ ...labels, tags: ['lease', '2025', 'lease'] })
      expect(await readDocument(owner(), scope(), id)).toMatchObject(labels)
      const found = await make('listDocuments', {
        headers: bearer(owner().key),
        params: { scopeId: scope() },
        query: 'tag=lease&metadata=matter:7:2025',
      })
      expect(found.items.map((each) => each.document_id)).toEqual([id])
    })

    it('replace those that the document has, and stay where none are sent', async () => {
      const fields = { document_id: newDocumentId(), text: 'One.' }
      const first = await deposit({ ...fields, tags: ['a'], metadata: { x: '1' } })
      expect(await deposit({ ...fields, tags: ['a'], metadata: { x: '1' } })).toEqual(first)
      expect(await deposit(fields)).toEqual(first)
      expect(await deposit({ ...fields, tags: ['b'] })).toMatchObject({
        tags: ['b'],
        metadata: {},
        version: 1,
      })
      expect(await deposit({ ...fields, text: 'Two.' })).toMatchObject({ tags: ['b'], version: 2 })
      expect(await deposit({ ...fields, text: 'Two.', tags: [] })).toMatchObject({ tags: [], metadata: {} })
    })

    it.each<[string, DocumentFields]>([
      ['#/tags', { tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }],
      ['#/tags/0', { tags: ['a,b'] }],
      [
        '#/metadata',
        { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`n${at}`, 'x'])) },
      ],
      ['#/metadata/a:b', { metadata: { 'a:b': 'x' } }],
      ['#/metadata/a', { metadata: { a: null } }],
      ['#/metadata/a', { metadata: { a: 'x'.repeat(201) } }],
    ])('are refused out of bounds: %s', async (pointer, fields) => {
      const reply = await subject.call(call(scope(), fields))
      subject.expectProblem(reply, 'validation_failed', { pointers: [pointer] })
    })
  })
}

function describeRepeated(subject: Subject, deposits: Deposits): void {
  const { owner, call } = deposits
  describe(`${subject.operation.name}: 201 for what is there already`, () => {
    const scope = useScope(deposits)
    const deposit = (fields: DocumentFields) => subject.call(call(scope(), fields))

    it('gives the same record when the same is sent again', async () => {
      const fields = { document_id: newDocumentId() }
      const first = await deposit(fields)
      subject.expectForm(first, 201)
      expect(await deposit(fields)).toMatchObject({ status: 201, text: first.text })
      expect(await kindsOf(owner(), scope(), fields.document_id)).toEqual(['document.attached'])
    })

    it('attaches it once when the same is sent twenty times at once', async () => {
      const fields = { document_id: newDocumentId() }
      const replies = await Promise.all(Array.from({ length: 20 }, () => deposit(fields)))
      expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1)
      expect(await kindsOf(owner(), scope(), fields.document_id)).toEqual(['document.attached'])
    })

    it('leaves a processed document as it is when the same is sent again', async () => {
      const fields = { document_id: newDocumentId() }
      await deposit(fields)
      await trigger(owner(), scope(), { document_ids: [fields.document_id] })
      const processed = await untilEnded(owner(), scope(), fields.document_id)
      subject.expectForm(await deposit(fields), 201)
      expect(await readDocument(owner(), scope(), fields.document_id)).toEqual(processed)
    })

    it('leaves a document that was ingested with the same content as it is', async () => {
      const fields = { document_id: newDocumentId(), name: 'Report', text: 'The same text.' }
      await ingest(owner(), scope(), fields)
      const processed = await untilEnded(owner(), scope(), fields.document_id)
      subject.expectForm(await deposit(fields), 201)
      expect(await readDocument(owner(), scope(), fields.document_id)).toEqual(processed)
    })
  })
}

function describeNewVersions(subject: Subject, deposits: Deposits): void {
  const { owner, call } = deposits
  describe(`${subject.operation.name}: 201 with other text under the same id`, () => {
    const scope = useScope(deposits)
    const deposit = async (documentId: string, text: string) =>
      subject.expectForm(await subject.call(call(scope(), { document_id: documentId, text })), 201)
    const versionsOf = async (documentId: string) =>
      (await readDocument(owner(), scope(), documentId)).versions.map(
        ({ version, status }) => `${version} ${status}`,
      )

    it('replaces the version that was waiting', async () => {
      const documentId = newDocumentId()
      await deposit(documentId, 'One.')
      expect(await deposit(documentId, 'Two.')).toMatchObject({ version: 2, status: 'attached' })
      expect(await versionsOf(documentId)).toEqual(['2 attached', '1 superseded'])
    })

    it('leaves the processed version in force until the new one is processed', async () => {
      const documentId = newDocumentId()
      await ingest(owner(), scope(), { document_id: documentId })
      await untilEnded(owner(), scope(), documentId)
      expect(await deposit(documentId, 'Two.')).toMatchObject({ version: 2, status: 'attached' })
      expect(await versionsOf(documentId)).toEqual(['2 attached', '1 processed'])
      await trigger(owner(), scope(), { document_ids: [documentId] })
      await untilEnded(owner(), scope(), documentId)
      expect(await versionsOf(documentId)).toEqual(['2 processed', '1 superseded'])
    })

    it('begins anew where a document was removed', async () => {
      const documentId = newDocumentId()
      await deposit(documentId, 'One.')
      await remove(owner(), scope(), documentId)
      expect(await deposit(documentId, 'One.')).toMatchObject({ status: 'attached' })
      expect(await versionsOf(documentId)).toHaveLength(1)
    })
  })
}

function describeBusy(subject: Subject, deposits: Deposits): void {
  const { owner, call } = deposits
  describe(`${subject.operation.name}: 409`, () => {
    const scope = useScope(deposits)

    it('refuses other text while the document is on its way, which then ends as if nobody had asked', async () => {
      let documentId = ''
      // A worker may be faster than the second request; then the next document is tried.
      const reply = await waitUntil<Reply>(
        async () => {
          documentId = newDocumentId()
          await ingest(owner(), scope(), { document_id: documentId, text: 'A sentence. '.repeat(8_000) })
          const refused = await subject.call(call(scope(), { document_id: documentId, text: 'Two.' }))
          return refused.status === 409 && refused
        },
        { what: 'a document being met on its way', withinMs: 10_000, everyMs: 0 },
      )
      subject.expectProblem(reply, 'illegal_transition')
      const { status, versions } = await untilEnded(owner(), scope(), documentId)
      expect({ status, versions: versions.length }).toEqual({ status: 'processed', versions: 1 })
    })
  })
}
