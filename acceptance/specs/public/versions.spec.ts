/** ingestDocument and getDocument: other content under the same id is a new version, and the old one goes out of force. */
import { beforeAll, describe, expect, it } from 'vitest'
import { kindsOf, readLog } from '../../events.ts'
import { createSubject } from '../../subject.ts'
import {
  asTenant,
  attach,
  documentBody,
  newDocumentId,
  register,
  trigger,
  untilEnded,
} from '../../world/documents.ts'
import type { Detail } from '../../world/documents.ts'
import { bearer, createScope, createTenant, newScopeId } from '../../world/tenants.ts'
import type { Tenant } from '../../world/tenants.ts'

const accepting = createSubject('ingestDocument')
const reading = createSubject('getDocument')
const scopeId = newScopeId()
let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant()
  await createScope(tenant, scopeId)
})

async function ingest(documentId: string, text: string) {
  const body = documentBody(scopeId, { document_id: documentId, text })
  return accepting.expectAnswer(await accepting.call({ headers: asTenant(tenant), body }), 202)
}

/** Once it has ended, as either process shows it. */
async function read(documentId: string): Promise<Detail> {
  await untilEnded(tenant, scopeId, documentId)
  const reply = await reading.call({ headers: bearer(tenant.key), params: { scopeId, documentId } })
  return reading.expectAnswer(reply, 200)
}

const shown = ({ versions }: Detail) => versions.map(({ version, status }) => `${version} ${status}`)

describe('versions: other content under the same id', () => {
  it('is processed as a new version, and the old one is superseded', async () => {
    const documentId = newDocumentId()
    const first = await ingest(documentId, 'Revenue was EUR 10m.')
    await read(documentId)
    const second = await ingest(documentId, 'Revenue was EUR 12m, after all.')
    expect(second.seq).toBeGreaterThan(first.seq ?? Infinity)
    const document = await read(documentId)
    expect(document).toMatchObject({ version: 2, status: 'processed', attempt: 1 })
    expect(shown(document)).toEqual(['2 processed', '1 superseded'])
    expect(document.versions.map(({ characters }) => characters)).toEqual([31, 20])
    expect(document.versions.filter(({ ended_at: ended }) => ended === null)).toEqual([])
  })

  it('is told in the log: the old version is superseded by the new one before that is processed', async () => {
    const documentId = newDocumentId()
    await ingest(documentId, 'One.')
    await read(documentId)
    await ingest(documentId, 'Two.')
    await read(documentId)
    const log = await readLog(tenant, scopeId)
    const told = log.filter(({ data }) => data.document_id === documentId)
    expect(told.slice(3).map(({ type, data }) => `${type} ${data.version}`)).toEqual([
      'document.queued 2',
      'document.processing 2',
      'document.superseded 1',
      'document.processed 2',
    ])
    expect(told.find(({ type }) => type === 'document.superseded')?.data.superseded_by).toBe(2)
  })

  it('ends with the newest in force, however fast they follow each other', async () => {
    const documentId = newDocumentId()
    for (const text of ['One.', 'Two, two.', 'Three, three, three.', 'Four.', 'Five, the last.'])
      await ingest(documentId, text)
    const document = await read(documentId)
    expect(shown(document)).toEqual([
      '5 processed',
      '4 superseded',
      '3 superseded',
      '2 superseded',
      '1 superseded',
    ])
    expect(document.versions[0]?.characters).toBe(15)
  })

  it('ends with one in force when they come at once', async () => {
    const documentId = newDocumentId()
    const texts = Array.from({ length: 10 }, (_, index) => `Text ${index}.`)
    const answers = await Promise.all(texts.map((text) => ingest(documentId, text)))
    expect(new Set(answers.map(({ seq }) => seq)).size).toBe(10)
    const document = await read(documentId)
    expect(document).toMatchObject({ version: 10, status: 'processed' })
    expect(shown(document).filter((each) => each.endsWith('processed'))).toEqual(['10 processed'])
    expect(shown(document).filter((each) => each.endsWith('superseded'))).toHaveLength(9)
  })

  it('is a new version also when an older one said the same', async () => {
    const documentId = newDocumentId()
    for (const text of ['One.', 'Two.', 'One.']) {
      await ingest(documentId, text)
      await read(documentId)
    }
    expect(shown(await read(documentId))).toEqual(['3 processed', '2 superseded', '1 superseded'])
  })
})

describe('versions: ingesting what was handed in before', () => {
  it('gives a registered document its first version', async () => {
    const { document_id: documentId } = await register(tenant, scopeId)
    await ingest(documentId, 'Here it is.')
    expect(shown(await read(documentId))).toEqual(['1 processed'])
  })

  it('queues the version that is attached when the content is the same', async () => {
    const { document_id: documentId } = await attach(tenant, scopeId, { text: 'The same.' })
    await ingest(documentId, 'The same.')
    expect(shown(await read(documentId))).toEqual(['1 processed'])
  })

  it('queues nothing when the same content was processed before', async () => {
    const { document_id: documentId } = await attach(tenant, scopeId, { text: 'The same.' })
    await trigger(tenant, scopeId, { document_ids: [documentId] })
    await read(documentId)
    await ingest(documentId, 'The same.')
    expect(shown(await read(documentId))).toEqual(['1 processed'])
    expect(await kindsOf(tenant, scopeId, documentId)).toEqual([
      'document.attached',
      'document.queued',
      'document.processing',
      'document.processed',
    ])
  })
})
