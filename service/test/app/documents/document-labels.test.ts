/** Tags and metadata in the database: sealed, filed under hashes, and gone with the document. */
import { describe, expect, it } from 'vitest'
import { updateDocument } from '../../../src/app/documents/document-labels.ts'
import { listDocuments } from '../../../src/app/documents/document-lists.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { makeScope } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
const archive = useArchive(database, pools)

const LABELS = { tags: ['canary tag'], metadata: { canary: 'canary value' } }

const update = (documentId: string, change: Parameters<typeof updateDocument>[3], scopeId = 'default') =>
  updateDocument(archive().deps, archive().tenant.caller, { scopeId, documentId }, change)

const hashes = async () =>
  look<{ label: string; document_id: string }>(
    database(),
    `select encode(label, 'hex') as label, document_id from document_labels where tenant_id = $1 order by 1`,
    [archive().tenant.tenantId],
  )

const sealedLabels = async () =>
  (
    await look<{ sealed: Buffer | null }>(
      database(),
      'select sealed_labels as sealed from documents where tenant_id = $1',
      [archive().tenant.tenantId],
    )
  ).map(({ sealed }) => sealed)

describe('labels', () => {
  it('are stored nowhere in plain text, and have other hashes in another scope', async () => {
    await makeScope(pools(), archive().tenant, 'other')
    await archive().register({ documentId: 'a' })
    await archive().register({ documentId: 'a', scopeId: 'other' })
    await update('a', LABELS)
    const first = await hashes()
    await update('a', LABELS, 'other')
    const both = await hashes()
    expect([first.length, both.length, new Set(both.map(({ label }) => label)).size]).toEqual([2, 4, 4])
    const rows = await look<{ row: string; sealed: Buffer }>(
      database(),
      'select d::text as row, sealed_labels as sealed from documents d where tenant_id = $1',
      [archive().tenant.tenantId],
    )
    expect(rows).toHaveLength(2)
    for (const { row, sealed } of rows) {
      expect(row).not.toContain('canary')
      expect(sealed.toString('latin1')).not.toContain('canary')
    }
  })

  it('leave nothing behind when they or their document go', async () => {
    await archive().register({ documentId: 'a' })
    await update('a', LABELS)
    await update('a', { tags: [], metadata: { canary: null } })
    expect([await sealedLabels(), await hashes()]).toEqual([[null], []])
    await update('a', LABELS)
    await archive().remove('a')
    expect(await hashes()).toEqual([])
    expect(await sealedLabels()).toEqual([null])
  })

  it('do not change since when a document waits', async () => {
    await archive().ingest({ documentId: 'a' })
    const before = await archive().get('a')
    const { updatedAt } = await update('a', LABELS)
    expect(updatedAt).toEqual(before.document.updatedAt)
    await archive().bringTo('processed', 'a')
    const after = await update('a', { tags: [] })
    expect(after.updatedAt.getTime()).toBeGreaterThan(updatedAt.getTime())
  })

  it('that come with a document are sealed, and part of what an idempotency key stands for', async () => {
    const labels = { tags: ['canary tag'], metadata: [['canary', 'canary value']] as const }
    const request = { documentId: 'a', idempotencyKey: 'key', labels }
    const first = await archive().ingest(request)
    expect((await archive().get('a')).document).toMatchObject(labels)
    await update('a', { tags: ['later'] })
    expect(await archive().ingest(request)).toEqual({ ...first, replayed: true })
    expect((await archive().get('a')).document).toMatchObject({ tags: ['later'] })
    for (const other of [{ ...labels, tags: [] }, null])
      await expect(archive().ingest({ ...request, labels: other })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      })
    expect((await hashes()).length).toBe(2)
  })

  it('find a rare document among many without opening any of them', async () => {
    await archive().register({ documentId: 'rare' })
    await update('rare', LABELS)
    await look(
      database(),
      `insert into documents (tenant_id, scope_id, document_id, epoch, version, type, status)
       select $1, 'default', 'm' || n, 0, 0, 'txt', 'registered' from generate_series(1, 5000) n`,
      [archive().tenant.tenantId],
    )
    for (const order of ['id', 'updated', 'updated_desc'] as const) {
      const page = await listDocuments(archive().deps, archive().tenant.caller, 'default', {
        limit: 1,
        cursor: undefined,
        order,
        tag: 'canary tag',
        metadata: ['canary', 'canary value'],
      })
      expect([page.items.map(({ documentId }) => documentId), page.nextCursor]).toEqual([['rare'], null])
    }
  })
})
