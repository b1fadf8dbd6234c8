/** Several documents in one request: pages of those that failed, what no time is left for, and the audit log. */
import { describe, expect, it } from 'vitest'
import { removeDocuments, retryDocuments } from '../../../src/app/documents/bulk-documents.ts'
import { useArchive } from '../../support/archive.ts'
import { useDatabase } from '../../support/database.ts'
import { documentRow, look } from '../../support/documents.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
const archive = useArchive(database, pools)

const audited = async (action: string) =>
  look(database(), 'select from audit_log where tenant_id = $1 and action = $2', [
    archive().tenant.tenantId,
    action,
  ])

describe('retries of those that failed', () => {
  it('go through all of them, a hundred at a time, and tell how many were queued', async () => {
    await look(
      database(),
      `insert into documents (tenant_id, scope_id, document_id, epoch, version, type, status)
       select $1, 'default', 'd' || to_char(n, 'FM000'), 0, 1, 'txt', 'failed' from generate_series(1, 150) n`,
      [archive().tenant.tenantId],
    )
    const noted: number[] = []
    const deps = {
      ...archive().deps,
      noteQueued: (...[, , , count]: unknown[]) => void noted.push(Number(count)),
    }
    const retry = async (after?: string) =>
      retryDocuments(deps, archive().tenant.caller, 'default', { status: 'failed', after })
    const first = await retry()
    expect([first.outcomes.length, first.nextAfter]).toEqual([100, 'd100'])
    // It failed again meanwhile, and is not met a second time.
    await archive().bringTo('failed', 'd007')
    const second = await retry('d100')
    expect([second.outcomes.length, second.nextAfter]).toEqual([50, null])
    expect(noted).toEqual([100, 50])
    expect(await audited('document.retried')).toHaveLength(150)
    expect(await look(database(), `select from documents where status = 'queued'`)).toHaveLength(149)
  })
})

describe('removals', () => {
  it('are not begun when the time of the request is almost over', async () => {
    await archive().deposit({ documentId: 'a' })
    const remove = async (leftMs: number) =>
      removeDocuments(archive().deps, archive().tenant.caller, 'default', {
        documentIds: ['a'],
        answerBy: performance.now() + leftMs,
      })
    expect(await remove(500)).toMatchObject([{ documentId: 'a', result: { error: { code: 'unavailable' } } }])
    expect(await documentRow(database(), archive().place('a'))).toMatchObject({ status: 'attached' })
    expect(await remove(5_000)).toMatchObject([{ documentId: 'a', result: { done: { versions: 1 } } }])
    expect(await audited('document.removed')).toHaveLength(1)
  })
})
