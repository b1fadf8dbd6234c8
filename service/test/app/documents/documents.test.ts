import { describe, expect, it } from 'vitest'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { documentRow, look, pictureOf, storyOf, versionsOf, workRow } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { nextGeneration } from '../../support/generations.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
const archive = useArchive(database, pools)

describe('a deposit', () => {
  it('without text registers the document, and queues nothing', async () => {
    expect(await archive().register({ source: 'a shelf', provenance: 'sha256:00' })).toMatchObject({
      scopeId: 'default',
      documentId: 'report',
      name: 'Annual report',
      source: 'a shelf',
      provenance: 'sha256:00',
      version: 0,
      status: 'registered',
    })
    expect(await versionsOf(database(), archive().place())).toEqual([])
    expect(await workRow(database(), archive().place())).toBeUndefined()
    expect(await storyOf(database(), archive().tenant)).toEqual(['2 document.registered 0'])
    expect(archive().announced).toEqual(['default'])
  })

  it('with text attaches it, and queues nothing', async () => {
    expect(await archive().deposit()).toMatchObject({ version: 1, status: 'attached' })
    expect(await versionsOf(database(), archive().place())).toEqual(['1 attached'])
    expect(await workRow(database(), archive().place())).toBeUndefined()
    expect(await storyOf(database(), archive().tenant)).toEqual(['2 document.attached 1'])
  })

  it('without an id gets one of its own', async () => {
    const [one, two] = [
      await archive().deposit({ documentId: null }),
      await archive().deposit({ documentId: null }),
    ]
    expect(one.documentId).not.toBe(two.documentId)
  })

  it('that repeats another changes nothing', async () => {
    const first = await archive().deposit({ provenance: 'x' })
    const before = await pictureOf(database())
    expect(await archive().deposit({ provenance: 'x' })).toEqual(first)
    expect(await pictureOf(database())).toEqual(before)
  })

  it('of text for a registered document attaches it', async () => {
    await archive().register()
    expect(await archive().deposit()).toMatchObject({ version: 1, status: 'attached' })
    expect(await storyOf(database(), archive().tenant)).toEqual([
      '2 document.registered 0',
      '3 document.attached 1',
    ])
  })

  it.each([
    ['text', { text: 'other words' }],
    ['name', { name: 'Another' }],
    ['source', { source: 'elsewhere' }],
    ['provenance', { provenance: 'sha256:11' }],
  ])('with another %s makes a new version and ends the one that waited', async (_, change) => {
    await archive().deposit()
    expect(await archive().deposit(change)).toMatchObject({ version: 2, status: 'attached' })
    // The name comes with its newest version.
    const { document } = await archive().get()
    const { name, source, provenance } = { name: 'Annual report', source: null, provenance: null, ...change }
    expect(document).toMatchObject({ name, source, provenance })
    expect(await versionsOf(database(), archive().place())).toEqual(['2 attached', '1 superseded'])
  })

  it.each(['processed', 'failed'] as const)(
    'of new text over a %s document waits to be triggered',
    async (status) => {
      await archive().ingest()
      await archive().bringTo(status)
      expect(await archive().deposit({ text: 'newer' })).toMatchObject({
        version: 2,
        status: 'attached',
        errorCode: null,
      })
      expect(await versionsOf(database(), archive().place())).toEqual([
        '2 attached',
        status === 'processed' ? '1 processed' : '1 superseded',
      ])
    },
  )

  it.each(['queued', 'processing'] as const)(
    'over a document that is %s is refused and changes nothing',
    async (status) => {
      await archive().ingest()
      await archive().bringTo(status)
      const before = await pictureOf(database())
      expect(await faultOf(archive().deposit({ text: 'newer' }))).toBe('illegal_transition')
      expect(await faultOf(archive().register({ name: 'newer' }))).toBe('illegal_transition')
      expect(await pictureOf(database())).toEqual(before)
    },
  )

  it('over a removed document makes a version that was never used before', async () => {
    await archive().deposit()
    await archive().remove()
    expect(await archive().deposit()).toMatchObject({ version: 2, status: 'attached', name: 'Annual report' })
    expect(await versionsOf(database(), archive().place())).toEqual(['2 attached'])
  })

  it('to an unknown scope, or to one of another archive().tenant, is refused alike', async () => {
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'theirs')
    for (const scopeId of ['nowhere', 'theirs'])
      expect(await faultOf(archive().deposit({ scopeId }))).toBe('scope_not_found')
  })

  it('many times at once is one document with one version', async () => {
    await Promise.all(Array.from({ length: 8 }, () => archive().deposit()))
    expect(await storyOf(database(), archive().tenant)).toEqual(['2 document.attached 1'])
  })
})

describe('a deposit without text over a document that has some', () => {
  it.each(['attached', 'processed', 'failed'] as const)(
    'is refused while it is %s: a text that waits must not fall asleep, nor a result be hidden',
    async (status) => {
      await archive().deposit()
      await archive().bringTo(status)
      const before = await pictureOf(database())
      expect(await faultOf(archive().register({ name: 'Renamed' }))).toBe('illegal_transition')
      expect(await pictureOf(database())).toEqual(before)
    },
  )

  it('registers it again after a removal', async () => {
    await archive().deposit()
    await archive().remove()
    expect(await archive().register()).toMatchObject({ status: 'registered', name: 'Annual report' })
    expect(await archive().deposit()).toMatchObject({ status: 'attached', version: 2 })
  })
})

describe('a trigger', () => {
  it('queues every attached document of the scope in the order of their ids, and returns their positions', async () => {
    for (const documentId of ['b', 'a', 'c']) await archive().deposit({ documentId })
    await archive().register({ documentId: 'without-text' })
    expect(await archive().trigger()).toEqual({
      queued: 3,
      alreadyQueued: 0,
      withoutText: 1,
      firstSeq: 6,
      lastSeq: 8,
    })
    expect((await storyOf(database(), archive().tenant)).slice(4)).toEqual([
      '6 document.queued 1',
      '7 document.queued 1',
      '8 document.queued 1',
    ])
    for (const [index, documentId] of ['a', 'b', 'c'].entries()) {
      expect(await documentRow(database(), archive().place(documentId))).toMatchObject({
        status: 'queued',
        seq: String(6 + index),
      })
      expect(await versionsOf(database(), archive().place(documentId))).toEqual(['1 queued'])
      expect(await workRow(database(), archive().place(documentId))).toMatchObject({
        state: 'queued',
        version: 1,
        attempt: 0,
      })
    }
  })

  it('of some documents queues those alone', async () => {
    for (const documentId of ['a', 'b', 'c']) await archive().deposit({ documentId })
    expect(await archive().trigger(['c', 'a', 'a'])).toMatchObject({ queued: 2 })
    expect(await documentRow(database(), archive().place('b'))).toMatchObject({ status: 'attached' })
  })

  it('that is repeated queues nothing twice', async () => {
    await archive().deposit()
    await archive().trigger()
    const before = await pictureOf(database())
    expect(await archive().trigger()).toMatchObject({
      queued: 0,
      alreadyQueued: 1,
      firstSeq: null,
      lastSeq: null,
    })
    expect(await archive().trigger(['report'])).toEqual({
      queued: 0,
      alreadyQueued: 1,
      withoutText: 0,
      firstSeq: null,
      lastSeq: null,
    })
    expect(await pictureOf(database())).toEqual(before)
  })

  it('counts documents in progress or completed as already queued, but not documents without text', async () => {
    await archive().register({ documentId: 'registered' })
    for (const documentId of ['removed', 'queued', 'processed']) await archive().deposit({ documentId })
    await archive().remove('removed')
    await archive().trigger(['queued', 'processed'])
    await archive().bringTo('processed', 'processed')
    const named = ['registered', 'removed', 'queued', 'processed']
    expect(await archive().trigger(named)).toMatchObject({ queued: 0, alreadyQueued: 2 })
  })

  it('of many at once queues each document once', async () => {
    for (const documentId of ['a', 'b', 'c']) await archive().deposit({ documentId })
    const triggered = await Promise.all(Array.from({ length: 6 }, () => archive().trigger()))
    expect(triggered.map(({ queued }) => queued).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 3])
  })

  it('of a scope with more documents than one transaction queues takes several, and queues each once', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    for (const documentId of ids) await archive().deposit({ documentId })
    const before = await lastTransactionOf('a')
    expect(await archive().trigger(undefined, 2)).toEqual({
      queued: 5,
      alreadyQueued: 0,
      withoutText: 0,
      firstSeq: 7,
      lastSeq: 11,
    })
    const transactions = await Promise.all(ids.map(lastTransactionOf))
    expect(new Set(transactions).size).toBe(3)
    expect(transactions).not.toContain(before)
    expect(await archive().trigger(undefined, 2)).toMatchObject({ queued: 0, firstSeq: null })
  })

  async function lastTransactionOf(documentId: string): Promise<string | undefined> {
    const values = [archive().tenant.tenantId, documentId]
    const where = 'where tenant_id = $1 and document_id = $2'
    const [row] = await look<{ xmin: string }>(
      database(),
      `select xmin::text from documents ${where}`,
      values,
    )
    return row?.xmin
  }

  it('of a document that does not exist queues nothing at all', async () => {
    await archive().deposit()
    const before = await pictureOf(database())
    expect(await faultOf(archive().trigger(['report', 'nobody']))).toBe('document_not_found')
    expect(await pictureOf(database())).toEqual(before)
  })

  it('touches no scope but its own', async () => {
    await makeScope(pools(), archive().tenant, 'second')
    await archive().deposit({ scopeId: 'second' })
    expect(await archive().trigger()).toMatchObject({ queued: 0 })
    expect(await documentRow(database(), archive().place())).toMatchObject({ status: 'attached' })
  })
})

describe('the same content', () => {
  it('that waits as attached and is then ingested is queued as the version it is', async () => {
    await archive().deposit()
    await archive().ingest()
    expect(await versionsOf(database(), archive().place())).toEqual(['1 queued'])
  })

  it('that was attached, triggered and processed is not queued again by ingesting it', async () => {
    await archive().deposit()
    await archive().trigger()
    await archive().bringTo('processed')
    expect(await archive().ingest()).toMatchObject({ replayed: true })
    expect(await versionsOf(database(), archive().place())).toEqual(['1 processed'])
  })
})

describe('a reset that happens meanwhile', () => {
  it('makes the registration seal again instead of sealing for a deleted generation', async () => {
    await archive().deposit({ documentId: 'before' })
    await nextGeneration(database(), archive().tenant, 'default')
    expect(await archive().deposit()).toMatchObject({ status: 'attached', epoch: 1 })
  })
})
