/** Documents that are there already: tried again, removed, read and listed. */
import { describe, expect, it } from 'vitest'
import { getDocument } from '../../../src/app/documents/documents.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import {
  documentRow,
  documentsDeps,
  look,
  pictureOf,
  storyOf,
  versionsOf,
  workRow,
} from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { nextGeneration } from '../../support/generations.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { addVersions } from '../../support/versions.ts'

const database = useDatabase()
const pools = usePools(database)
const archive = useArchive(database, pools)

describe('a retry', () => {
  it.each(['failed', 'held'] as const)(
    'of a %s document queues it anew, without its error and its count',
    async (status) => {
      await archive().ingest()
      await archive().bringTo(status)
      expect(await archive().retry()).toEqual({ version: 1, seq: 3 })
      expect(await documentRow(database(), archive().place())).toMatchObject({
        status: 'queued',
        attempt: 0,
        error_code: null,
        error_stage: null,
        seq: '3',
      })
      expect(await versionsOf(database(), archive().place())).toEqual(['1 queued'])
      expect(await workRow(database(), archive().place())).toMatchObject({
        state: 'queued',
        attempt: 0,
        ticket: null,
      })
      expect((await storyOf(database(), archive().tenant)).at(-1)).toBe('3 document.queued 1')
    },
  )

  it.each(['queued', 'processing', 'processed', 'attached'] as const)(
    'of a document that is %s is refused and changes nothing',
    async (status) => {
      await archive().ingest()
      await archive().bringTo(status)
      const before = await pictureOf(database())
      expect(await faultOf(archive().retry())).toBe('illegal_transition')
      expect(await pictureOf(database())).toEqual(before)
    },
  )

  it('of a registered document is refused', async () => {
    await archive().register()
    expect(await faultOf(archive().retry())).toBe('illegal_transition')
  })

  it('of a removed document, or of none, finds nothing', async () => {
    await archive().ingest()
    await archive().remove()
    expect(await faultOf(archive().retry())).toBe('document_not_found')
    expect(await faultOf(archive().retry('nobody'))).toBe('document_not_found')
  })

  it('of many at once queues it once', async () => {
    await archive().ingest()
    await archive().bringTo('failed')
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => faultOf(archive().retry())))
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1)
    expect(await workRow(database(), archive().place())).toMatchObject({ state: 'queued' })
  })
})

describe('a removal', () => {
  it.each(['registered', 'attached', 'queued', 'processing', 'processed', 'failed', 'held'] as const)(
    'of a document that is %s leaves the mark that it was there, and nothing else',
    async (status) => {
      if (status === 'registered') await archive().register()
      else if (status === 'attached') await archive().deposit()
      else {
        await archive().ingest()
        await archive().bringTo(status)
      }
      if (status === 'processed')
        await look(
          database(),
          `insert into readings (tenant_id, scope_id, document_id, version, epoch, passages, sentences, sealed)
           values ($1, 'default', 'report', 1, 0, 1, 1, '\\x00')`,
          [archive().tenant.tenantId],
        )
      expect(await archive().remove()).toEqual({ versions: status === 'registered' ? 0 : 1, seq: 3 })
      expect(await documentRow(database(), archive().place())).toMatchObject({
        status: 'removed',
        sealed_card: null,
        sealed_layout: null,
        fingerprint: null,
        error_code: null,
      })
      for (const table of ['document_versions', 'readings', 'work'])
        expect(
          await look(database(), `select from ${table} where tenant_id = $1`, [archive().tenant.tenantId]),
        ).toEqual([])
      expect((await storyOf(database(), archive().tenant)).at(-1)).toMatch(/^3 document.removed/)
    },
  )

  it('counts every version there was', async () => {
    await archive().ingest()
    await archive().ingest({ text: 'newer' })
    expect(await archive().remove()).toMatchObject({ versions: 2 })
  })

  it('cannot be repeated, and is not found without a document', async () => {
    await archive().ingest()
    await archive().remove()
    expect(await faultOf(archive().remove())).toBe('document_not_found')
    expect(await faultOf(archive().remove('nobody'))).toBe('document_not_found')
  })

  it('touches no other document', async () => {
    await archive().ingest()
    await archive().deposit({ documentId: 'other' })
    await archive().remove()
    expect(await documentRow(database(), archive().place('other'))).toMatchObject({ status: 'attached' })
    expect(await versionsOf(database(), archive().place('other'))).toEqual(['1 attached'])
  })
})

describe('reading a document', () => {
  it('shows its status, with all its versions, newest first', async () => {
    await archive().deposit({ source: 'a shelf' })
    await archive().deposit({ text: 'newer', characters: 5, source: 'a shelf' })
    const { document, versions } = await archive().get()
    expect(document).toMatchObject({
      name: 'Annual report',
      source: 'a shelf',
      version: 2,
      status: 'attached',
    })
    expect(versions.nextCursor).toBe(null)
    expect(versions.items.map(({ version, status, characters }) => [version, status, characters])).toEqual([
      [2, 'attached', 5],
      [1, 'superseded', 9],
    ])
  })

  it('shows its versions page by page, each once, and the newest of 200,000 as soon as of one', async () => {
    await archive().deposit()
    await addVersions(database(), archive().place('report'), 200_000)
    const began = performance.now()
    const first = await archive().get('report', { limit: 20, cursor: undefined })
    const tookMs = performance.now() - began
    expect(first.versions.items.map(({ version }) => version)).toEqual(
      Array.from({ length: 20 }, (_, index) => 200_000 - index),
    )
    const { versions } = await archive().get('report', {
      limit: 100,
      cursor: first.versions.nextCursor ?? undefined,
    })
    expect(versions.items[0]?.version).toBe(199_980)
    expect(versions.items).toHaveLength(100)
    expect(versions.nextCursor).not.toBe(null)
    // All of them took more than a second.
    expect(tookMs).toBeLessThan(500)
    const refused = archive().get('report', { limit: 20, cursor: 'W10' })
    await expect(refused).rejects.toMatchObject({
      fields: [expect.objectContaining({ pointer: 'query#/versions_cursor', code: 'invalid_cursor' })],
    })
  })

  it('that was removed shows that it was there, without its card', async () => {
    await archive().deposit()
    await archive().remove()
    const { document, versions } = await archive().get()
    expect(document).toMatchObject({ status: 'removed', name: '', source: null, provenance: null })
    expect(versions.items).toEqual([])
  })

  it('of another archive().tenant, scope or name finds nothing', async () => {
    await makeScope(pools(), archive().tenant, 'second')
    await archive().deposit()
    const other = await makeTenant(pools())
    await makeScope(pools(), other, 'default')
    expect(await faultOf(archive().get('nobody'))).toBe('document_not_found')
    expect(await faultOf(getDocument(archive().deps, other.caller, 'default', 'report'))).toBe(
      'document_not_found',
    )
    expect(await faultOf(getDocument(archive().deps, archive().tenant.caller, 'second', 'report'))).toBe(
      'document_not_found',
    )
    expect(await faultOf(getDocument(archive().deps, archive().tenant.caller, 'nowhere', 'report'))).toBe(
      'scope_not_found',
    )
  })

  it('shows its card also to a replica that remembers the seal from before a reset', async () => {
    await archive().deposit({ documentId: 'before' })
    await nextGeneration(database(), archive().tenant, 'default')
    await archive().deposit({}, documentsDeps(pools()))
    expect((await archive().get()).document.name).toBe('Annual report')
  })
})
