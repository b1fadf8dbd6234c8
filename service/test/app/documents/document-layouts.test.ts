/** The layout of a file is stored apart from the card, so that nobody but the worker reads it. */
import { describe, expect, it } from 'vitest'
import { listDocuments } from '../../../src/app/documents/document-lists.ts'
import { findByName } from '../../../src/app/documents/document-names.ts'
import { openLayout } from '../../../src/app/documents/document-card.ts'
import { MAX_LAYOUT_BYTES, PLAIN_LAYOUT } from '../../../src/domain/file-layout.ts'
import type { FileLayout } from '../../../src/domain/file-layout.ts'
import { selectCandidates, selectDocumentsById } from '../../../src/store/documents/document-lists.ts'
import { selectCardsAfter } from '../../../src/store/documents/documents.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
const archive = useArchive(database, pools)

const unread = Array.from({ length: 1_000 }, (_, index) => ({ part: 'page', number: index + 1 }) as const)

/** A layout that is almost as large as one may be. */
const layout: FileLayout = {
  ...PLAIN_LAYOUT,
  kind: 'pages',
  starts: Array.from({ length: 120_000 }, (_, index) => 1_000_000 + index),
  unread,
}

const FILES = 8

async function sendFiles(): Promise<void> {
  for (let file = 0; file < FILES; file += 1)
    await archive().ingest({ documentId: `file-${file}`, name: `File ${file}`, text: `text ${file}`, layout })
}

const storedLayout = async () => {
  const [row] = await look<{ sealed_layout: Buffer | null }>(
    database(),
    `select sealed_layout from documents where tenant_id = $1 and document_id = 'file-0'`,
    [archive().tenant.tenantId],
  )
  return row?.sealed_layout
}

describe('documents with a layout of almost a megabyte', () => {
  it('are listed and found by name from some kilobytes', async () => {
    await sendFiles()
    expect(JSON.stringify(layout).length).toBeGreaterThan(0.9 * MAX_LAYOUT_BYTES)
    const query = { order: 'id' as const }
    const rows = await inTenant(pools().tenant, archive().tenant.tenantId, async (transaction) => {
      const ids = Array.from({ length: FILES }, (_, file) => `file-${file}`)
      return [
        await selectCandidates(transaction, 'default', query, 100),
        await selectDocumentsById(transaction, 'default', ids),
        await selectCardsAfter(transaction, 'default', '', 500),
      ]
    })
    for (const read of rows) {
      expect(read).toHaveLength(FILES)
      for (const { sealedCard } of read) expect(sealedCard?.length).toBeLessThan(4_096)
      expect(JSON.stringify(read).length / FILES).toBeLessThan(32_768)
    }
    const { deps, tenant } = archive()
    const { items } = await listDocuments(deps, tenant.caller, 'default', {
      limit: 100,
      cursor: undefined,
      order: 'id',
      name: 'file',
    })
    expect(items.map((item) => item.unread)).toEqual(
      Array.from({ length: FILES }, () => ({ parts: unread.slice(0, 100), total: 1_000 })),
    )
    expect(await findByName(deps, tenant.caller, 'default', ['File 3'])).toEqual(
      new Map([['File 3', 'file-3']]),
    )
  })

  it('keep the whole layout, sealed, until a newer version comes as text or they are removed', async () => {
    await sendFiles()
    const { deps, tenant } = archive()
    const seal = await deps.seals.get(tenant.tenantId, 'default')
    expect(openLayout(seal, 'file-0', (await storedLayout()) ?? Buffer.of())).toEqual(layout)
    await archive().ingest({ documentId: 'file-0', text: 'newer' })
    expect(await storedLayout()).toBeNull()
    await archive().ingest({ documentId: 'file-0', text: 'newest', layout })
    expect(await storedLayout()).toBeInstanceOf(Buffer)
    await archive().remove('file-0')
    expect(await storedLayout()).toBeNull()
  })
})
