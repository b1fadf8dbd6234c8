/** Lists of documents: filters, orders and the positions in them. */
import { beforeEach, describe, expect, it } from 'vitest'
import { listDocuments } from '../../../src/app/documents/document-lists.ts'
import type { DocumentsRequest } from '../../../src/app/documents/document-lists.ts'
import { encodeCursor } from '../../../src/app/pages.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { faultOf } from '../../support/faults.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
const archive = useArchive(database, pools)

const list = (parts: Partial<DocumentsRequest> = {}, scopeId = 'default') =>
  listDocuments(archive().deps, archive().tenant.caller, scopeId, {
    limit: 2,
    cursor: undefined,
    order: 'id',
    ...parts,
  })

async function walk(parts: Partial<DocumentsRequest> = {}): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await list({ ...parts, cursor })
    seen.push(...page.items.map(({ documentId }) => documentId))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return seen
}

describe('a list of documents', () => {
  it('walks through all of them in the order of their ids, each once', async () => {
    const ids = ['Zebra', 'a', 'b/c', 'd é', '🎉']
    for (const documentId of ids.toReversed()) await archive().deposit({ documentId })
    expect(await walk()).toEqual(ids)
  })

  it('of an unknown scope is refused', async () => {
    expect(await faultOf(list({}, 'nowhere'))).toBe('scope_not_found')
  })

  it.each([[['a', 'b']], [[]], [['']], [['x'.repeat(401)]], [['with \u0000 inside']]])(
    'refuses a cursor that was not made here: %j',
    async (parts) => {
      expect(await faultOf(list({ cursor: encodeCursor(parts) }))).toBe('validation_failed')
    },
  )
})

describe('a filtered list of documents', () => {
  beforeEach(async () => {
    await archive().deposit({ documentId: 'a', name: 'Annual report', type: 'txt', source: 'https://one' })
    await archive().deposit({ documentId: 'b', name: 'ANNUAL accounts', type: 'md', source: 'https://two' })
    await archive().deposit({ documentId: 'c', name: 'Minutes', type: 'txt', source: null })
    await archive().trigger(['b'])
  })

  it('shows those in any of several statuses', async () => {
    expect(await walk({ statuses: ['queued'] })).toEqual(['b'])
    expect(await walk({ statuses: ['attached'] })).toEqual(['a', 'c'])
    expect(await walk({ statuses: ['queued', 'attached'] })).toEqual(['a', 'b', 'c'])
    expect(await walk({ statuses: ['held'] })).toEqual([])
  })

  it('compares the beginning of name and source in any case, and the whole type', async () => {
    expect(await walk({ name: 'annual' })).toEqual(['a', 'b'])
    expect(await walk({ name: 'annual r' })).toEqual(['a'])
    expect(await walk({ name: 'report' })).toEqual([])
    expect(await walk({ source: 'HTTPS://t' })).toEqual(['b'])
    expect(await walk({ type: 'txt' })).toEqual(['a', 'c'])
    expect(await walk({ type: 't' })).toEqual([])
    expect(await walk({ type: 'txt', name: 'annual', statuses: ['attached'] })).toEqual(['a'])
  })

  it('shows those that changed since an instant, that instant included', async () => {
    const { items } = await list({ order: 'updated_desc', limit: 1 })
    const since = items[0]?.updatedAt.toISOString() ?? ''
    expect(await walk({ updatedSince: since })).toEqual(['b'])
    expect(await walk({ updatedSince: '2100-01-01T00:00:00.000Z' })).toEqual([])
  })

  it('keeps its place in either direction of time', async () => {
    expect(await walk({ order: 'updated', limit: 1 })).toEqual(['a', 'c', 'b'])
    expect(await walk({ order: 'updated_desc', limit: 1 })).toEqual(['b', 'c', 'a'])
  })

  it('misses no document that changes during a walk by the oldest change', async () => {
    const first = await list({ order: 'updated', limit: 1 })
    expect(first.items.map(({ documentId }) => documentId)).toEqual(['a'])
    await archive().trigger(['c'])
    const rest = await list({ order: 'updated', limit: 5, cursor: first.nextCursor ?? '' })
    expect(rest.items.map(({ documentId }) => documentId)).toEqual(['b', 'c'])
  })

  it('refuses the cursor of another order', async () => {
    const cursors = await Promise.all(
      (['id', 'updated', 'updated_desc'] as const).map(async (order) => {
        const { nextCursor } = await list({ order, limit: 1 })
        return { order, cursor: nextCursor ?? '' }
      }),
    )
    for (const made of cursors)
      for (const { order } of cursors.filter((each) => each.order !== made.order))
        expect(await faultOf(list({ order, cursor: made.cursor })), `${made.order} as ${order}`).toBe(
          'validation_failed',
        )
  })
})

describe('a list by name in a scope with many documents', () => {
  it('examines a bounded number per request, and continues from there', async () => {
    await archive().deposit({ documentId: 'z', name: 'Annual report' })
    await look(
      database(),
      `insert into documents (tenant_id, scope_id, document_id, epoch, version, type, status)
       select '${archive().tenant.tenantId}', 'default', 'd' || lpad(n::text, 5, '0'), 0, 1, 'txt', 'removed'
         from generate_series(1, 2500) n`,
    )
    const first = await list({ name: 'annual', limit: 10 })
    expect(first.items).toEqual([])
    const second = await list({ name: 'annual', limit: 10, cursor: first.nextCursor ?? '' })
    expect(second.items.map(({ documentId }) => documentId)).toEqual(['z'])
    expect(second.nextCursor).toBeNull()
  })
})
