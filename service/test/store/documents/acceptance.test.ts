import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { acceptDocuments } from '../../../src/store/documents/acceptance.ts'
import type { NewDocument } from '../../../src/store/documents/acceptance.ts'
import { useDatabase } from '../../support/database.ts'
import {
  acceptOne,
  documentRow,
  idempotency,
  look,
  newDocument,
  pictureOf,
  storyOf,
  versionsOf,
  workRow,
} from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})

const accept = (parts: Partial<NewDocument> & { text?: string } = {}) =>
  acceptOne(pools().tenant, newDocument(tenant, parts))

/** Moves the document to where a test wants it, as only a superuser can. */
async function putInto(status: string, documentId: string): Promise<void> {
  const place = [tenant.tenantId, documentId]
  const where = 'where tenant_id = $1 and document_id = $2'
  await look(database(), `update documents set status = '${status}' ${where}`, place)
  await look(database(), `update document_versions set status = '${status}' ${where}`, place)
  if (status === 'processing')
    await look(database(), `update work set state = 'processing', ticket = 7, attempt = 2 ${where}`, place)
  else if (status !== 'queued') await look(database(), `delete from work ${where}`, place)
}

describe('labels that come with documents', () => {
  const labelled = (documentId: string, hashes: string[], text?: string) =>
    newDocument(tenant, {
      documentId,
      ...(text !== undefined && { text }),
      labels: {
        sealed: hashes.length === 0 ? null : Buffer.from(hashes.join(' ')),
        hashes: hashes.map((hash) => Buffer.from(hash)),
      },
    })
  const write = (...documents: NewDocument[]) => acceptDocuments(pools().tenant, documents)
  const stored = () =>
    look<{ id: string; sealed: string | null; labels: string[] | null }>(
      database(),
      `select document_id as id, convert_from(sealed_labels, 'utf8') as sealed,
              (select array_agg(convert_from(label, 'utf8') order by label) from document_labels l
                where l.tenant_id = d.tenant_id and l.document_id = d.document_id) as labels
         from documents d where tenant_id = $1 order by 1`,
      [tenant.tenantId],
    )

  it('are written with them, each with those of its own', async () => {
    await write(labelled('a', ['x', 'y']), newDocument(tenant, { documentId: 'b' }), labelled('c', []))
    expect(await stored()).toEqual([
      { id: 'a', sealed: 'x y', labels: ['x', 'y'] },
      { id: 'b', sealed: null, labels: null },
      { id: 'c', sealed: null, labels: null },
    ])
  })

  it('replace those that the document has, whether or not its text is new, and stay where none come', async () => {
    await write(labelled('a', ['x', 'y']))
    await write(labelled('a', ['y', 'z']))
    expect(await stored()).toEqual([{ id: 'a', sealed: 'y z', labels: ['y', 'z'] }])
    await write(newDocument(tenant, { documentId: 'a', text: 'another text' }))
    expect(await stored()).toEqual([{ id: 'a', sealed: 'y z', labels: ['y', 'z'] }])
    await write(labelled('a', ['w'], 'a third text'))
    await write(labelled('a', [], 'a third text'))
    expect(await stored()).toEqual([{ id: 'a', sealed: null, labels: null }])
  })

  it('are not written again with an idempotency key that was used, nor with one that is refused', async () => {
    const key = idempotency('k', 'r')
    await write({ ...labelled('a', ['x']), idempotency: key })
    await write(labelled('a', ['y']))
    await write({ ...labelled('a', ['x']), idempotency: key })
    await write({ ...labelled('a', ['z']), idempotency: idempotency('k', 'other') })
    expect(await stored()).toEqual([{ id: 'a', sealed: 'y', labels: ['y'] }])
  })
})

describe('a document that is accepted', () => {
  it('is queued, its text kept, its work in the backlog and its event in the log, all at once', async () => {
    const document = newDocument(tenant, { documentId: 'report', text: 'sealed words' })
    expect(await acceptOne(pools().tenant, document)).toEqual({
      outcome: 'accepted',
      documentId: 'report',
      seq: 2,
    })
    expect(await documentRow(database(), document)).toMatchObject({
      status: 'queued',
      version: 1,
      epoch: 0,
      attempt: 0,
      seq: '2',
      error_code: null,
      fingerprint: document.fingerprint,
      sealed_card: document.sealedCard,
    })
    expect(
      await look(database(), 'select * from document_versions where tenant_id = $1', [tenant.tenantId]),
    ).toEqual([
      expect.objectContaining({
        version: 1,
        status: 'queued',
        characters: 12,
        sealed_text: Buffer.from('sealed words'),
        queued_at: expect.any(Date),
        started_at: null,
        ended_at: null,
      }),
    ])
    expect(await workRow(database(), document)).toMatchObject({ state: 'queued', attempt: 0, ticket: null })
    expect(await storyOf(database(), tenant)).toEqual(['2 document.queued 1'])
  })

  it('keeps its own bytes among many others of one batch', async () => {
    const documents = Array.from({ length: 40 }, (_, index) =>
      newDocument(tenant, { documentId: `d${index}`, text: `text ${index} `.repeat((index % 7) + 1) }),
    )
    const answers = await acceptDocuments(pools().tenant, documents)
    expect(answers.map(({ documentId, seq }) => [documentId, seq])).toEqual(
      documents.map(({ documentId }, index) => [documentId, index + 2]),
    )
    const rows = await look<{ document_id: string; sealed_text: Buffer; sealed_card: Buffer }>(
      database(),
      `select d.document_id, sealed_text, sealed_card from documents d join document_versions using (tenant_id, document_id)
        where tenant_id = $1`,
      [tenant.tenantId],
    )
    const kept = new Map(
      rows.map((row) => [row.document_id, String(row.sealed_text) + String(row.sealed_card)]),
    )
    for (const { documentId, sealedText, sealedCard } of documents)
      expect(kept.get(documentId)).toBe(String(sealedText) + String(sealedCard))
  })

  it('waits in the backlog in the order of the batch', async () => {
    const documents = ['z', 'm', 'a'].map((documentId) => newDocument(tenant, { documentId }))
    await acceptDocuments(pools().tenant, documents)
    const rows = await look(
      database(),
      'select document_id from work where tenant_id = $1 order by position',
      [tenant.tenantId],
    )
    expect(rows).toEqual([{ document_id: 'z' }, { document_id: 'm' }, { document_id: 'a' }])
  })

  it('may be empty of card and text as far as the statement is concerned', async () => {
    const nothing = Buffer.alloc(0)
    const document = newDocument(tenant, { sealedCard: nothing, sealedText: nothing })
    expect(await acceptOne(pools().tenant, document)).toMatchObject({ outcome: 'accepted' })
    expect(await documentRow(database(), document)).toMatchObject({ sealed_card: nothing })
  })
})

describe('a document that cannot be accepted', () => {
  it('because its scope is unknown leaves nothing behind, and takes no neighbour along', async () => {
    const lost = newDocument(tenant, { scopeId: 'nowhere', idempotency: idempotency('k', 'r') })
    const good = newDocument(tenant)
    const answers = await acceptDocuments(pools().tenant, [lost, good])
    expect(answers.map(({ outcome }) => outcome)).toEqual(['scope_not_found', 'accepted'])
    expect(await documentRow(database(), lost)).toBeUndefined()
    expect(
      await look(database(), 'select from idempotency_keys where tenant_id = $1', [tenant.tenantId]),
    ).toEqual([])
  })

  it('because it was sealed for another generation leaves nothing behind', async () => {
    await look(database(), 'update scope_heads set epoch = 3 where tenant_id = $1', [tenant.tenantId])
    const before = await pictureOf(database())
    for (const epoch of [0, 2, 4])
      expect(await accept({ epoch, idempotency: idempotency('k', 'r') })).toMatchObject({
        outcome: 'stale_epoch',
      })
    expect(await pictureOf(database())).toEqual(before)
    expect(await accept({ epoch: 3 })).toMatchObject({ outcome: 'accepted' })
  })
})

describe('an idempotency key', () => {
  const sent = { documentId: 'first', idempotency: idempotency('nightly', 'the request') }

  it('with the same request is answered as the first time, and nothing is written', async () => {
    const first = await accept(sent)
    await accept({ text: 'something else in between' })
    const before = await pictureOf(database())
    // The document id is made anew on each try when the sender leaves it out.
    const again = await accept({ ...sent, documentId: randomUUID() })
    expect(again).toEqual({ ...first, outcome: 'replayed' })
    expect(await pictureOf(database())).toEqual(before)
  })

  it('with another request is refused, and nothing is written', async () => {
    await accept(sent)
    const before = await pictureOf(database())
    expect(await accept({ idempotency: idempotency('nightly', 'another request') })).toMatchObject({
      outcome: 'key_reused',
    })
    expect(await pictureOf(database())).toEqual(before)
  })

  it('is free again after thirty days, and not a moment before', async () => {
    const age = (interval: string) =>
      look(
        database(),
        `update idempotency_keys set created_at = now() - interval '${interval}' where tenant_id = $1`,
        [tenant.tenantId],
      )
    const first = await accept(sent)
    await age('29 days 23:59:00')
    expect(await accept(sent)).toEqual({ ...first, outcome: 'replayed' })
    expect(await accept({ idempotency: idempotency('nightly', 'other') })).toMatchObject({
      outcome: 'key_reused',
    })
    await age('30 days 00:00:01')
    const later = await accept({ documentId: 'later', idempotency: idempotency('nightly', 'other') })
    expect(later).toMatchObject({ outcome: 'accepted', documentId: 'later' })
    // From now on it belongs to the new request, for thirty days more.
    expect(await accept(sent)).toMatchObject({ outcome: 'key_reused' })
    expect(await accept({ idempotency: idempotency('nightly', 'other') })).toEqual({
      ...later,
      outcome: 'replayed',
    })
  })

  it('belongs to its tenant alone', async () => {
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'default')
    await accept(sent)
    const foreign = newDocument(other, { idempotency: idempotency('nightly', 'another request') })
    expect(await acceptOne(pools().tenant, foreign)).toMatchObject({ outcome: 'accepted' })
  })

  it('of another scope of the tenant is the same key', async () => {
    await makeScope(pools(), tenant, 'second')
    await accept(sent)
    const elsewhere = {
      ...sent,
      scopeId: 'second',
      idempotency: idempotency('nightly', 'in the second scope'),
    }
    expect(await accept(elsewhere)).toMatchObject({ outcome: 'key_reused' })
    expect(await storyOf(database(), tenant, 'second')).toEqual([])
  })

  it('is stored for the repeated document that it comes with', async () => {
    const first = await accept({ documentId: 'report', text: 'same' })
    const withKey = { documentId: 'report', text: 'same', idempotency: idempotency('late', 'r') }
    expect(await accept(withKey)).toEqual({ ...first, outcome: 'replayed' })
    expect(await accept({ ...withKey, idempotency: idempotency('late', 'other') })).toMatchObject({
      outcome: 'key_reused',
    })
  })
})

describe('the same document_id', () => {
  const documentId = 'report'
  const document = () => ({ tenantId: tenant.tenantId, documentId })

  it.each(['queued', 'processing', 'processed', 'held', 'failed'])(
    'with the same content is answered as the first time while the document is %s',
    async (status) => {
      const first = await accept({ documentId, text: 'same' })
      await putInto(status, documentId)
      const before = await pictureOf(database())
      expect(await accept({ documentId, text: 'same' })).toEqual({ ...first, outcome: 'replayed' })
      expect(await pictureOf(database())).toEqual(before)
    },
  )

  it.each(['queued', 'processing'])(
    'with other content while the document is %s ends that version, and the log says so before the new one',
    async (status) => {
      await accept({ documentId, text: 'one' })
      await putInto(status, documentId)
      expect(await accept({ documentId, text: 'two' })).toMatchObject({ outcome: 'accepted', seq: 4 })
      expect(await storyOf(database(), tenant)).toEqual([
        '2 document.queued 1',
        '3 document.superseded 1',
        '4 document.queued 2',
      ])
      expect(await versionsOf(database(), document())).toEqual(['2 queued', '1 superseded'])
      // Attempt and ticket begin anew: nothing that is under way for the old version fits any more.
      expect(await workRow(database(), document())).toMatchObject({
        state: 'queued',
        version: 2,
        attempt: 0,
        ticket: null,
      })
    },
  )

  it('with other content after the document was processed keeps the old version until the new one is', async () => {
    await accept({ documentId, text: 'one' })
    await putInto('processed', documentId)
    await accept({ documentId, text: 'two' })
    expect(await versionsOf(database(), document())).toEqual(['2 queued', '1 processed'])
    expect(await storyOf(database(), tenant)).toEqual(['2 document.queued 1', '3 document.queued 2'])
  })

  it('starts again without the error if the document had failed and the content is new', async () => {
    await accept({ documentId, text: 'one' })
    await putInto('failed', documentId)
    await look(
      database(),
      `update documents set error_code = 'threw', error_stage = 'read', attempt = 5 where tenant_id = $1`,
      [tenant.tenantId],
    )
    await accept({ documentId, text: 'two' })
    expect(await versionsOf(database(), document())).toEqual(['2 queued', '1 superseded'])
    expect(await documentRow(database(), document())).toMatchObject({
      status: 'queued',
      attempt: 0,
      error_code: null,
      error_stage: null,
    })
  })

  it('with the content that waits as attached queues that very version', async () => {
    await accept({ documentId, text: 'one' })
    await putInto('attached', documentId)
    expect(await accept({ documentId, text: 'one' })).toMatchObject({ outcome: 'accepted', seq: 3 })
    expect(await versionsOf(database(), document())).toEqual(['1 queued'])
    expect(await workRow(database(), document())).toMatchObject({ state: 'queued', version: 1 })
  })

  it('with other content than waits as attached makes a new version', async () => {
    await accept({ documentId, text: 'one' })
    await putInto('attached', documentId)
    await accept({ documentId, text: 'two' })
    expect(await versionsOf(database(), document())).toEqual(['2 queued', '1 superseded'])
  })

  it('of a document that is only registered gives it its first version', async () => {
    await look(
      database(),
      `insert into documents (tenant_id, scope_id, document_id, epoch, version, type, status, fingerprint)
       values ($1, 'default', $2, 0, 0, 'txt', 'registered', $3)`,
      [tenant.tenantId, documentId, newDocument(tenant, { text: 'one' }).fingerprint],
    )
    expect(await accept({ documentId, text: 'one' })).toMatchObject({ outcome: 'accepted' })
    expect(await versionsOf(database(), document())).toEqual(['1 queued'])
  })

  it('of a document that was removed makes a version that was never used before, even for the same content', async () => {
    await accept({ documentId, text: 'one' })
    await putInto('removed', documentId)
    await look(database(), 'delete from document_versions where tenant_id = $1', [tenant.tenantId])
    expect(await accept({ documentId, text: 'one' })).toMatchObject({ outcome: 'accepted' })
    expect(await versionsOf(database(), document())).toEqual(['2 queued'])
  })

  it('in another scope, or of another tenant, is another document', async () => {
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'default')
    await makeScope(pools(), tenant, 'second')
    await accept({ documentId, text: 'one' })
    const before = await documentRow(database(), document())
    await accept({ documentId, text: 'two', scopeId: 'second' })
    await acceptOne(pools().tenant, newDocument(other, { documentId, text: 'three' }))
    const rows = await look(
      database(),
      'select version from documents where document_id = $1 and tenant_id = any($2)',
      [documentId, [tenant.tenantId, other.tenantId]],
    )
    expect(rows).toEqual([{ version: 1 }, { version: 1 }, { version: 1 }])
    const [same] = await look(
      database(),
      `select * from documents where document_id = $1 and tenant_id = $2 and scope_id = 'default'`,
      [documentId, tenant.tenantId],
    )
    expect(same).toEqual(before)
  })
})
