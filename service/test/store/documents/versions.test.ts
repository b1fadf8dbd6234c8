/** A document with very many versions costs what one with a single version costs. */
import { describe, expect, it } from 'vitest'
import { endVersionBefore } from '../../../src/store/documents/documents.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, look, newDocument, versionsOf } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'
import { addVersions } from '../../support/versions.ts'

const database = useDatabase()
/** One connection, so that what it has read is counted when it says so. */
const pools = usePools(database, 1)

const MANY = 20_000

async function versionsRead(): Promise<number> {
  await pools().tenant.query('select pg_stat_force_next_flush()')
  const [found] = await look<{ rows: number }>(
    database(),
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables
      where relname ~ '^document_versions_p'`,
  )
  return found?.rows ?? 0
}

describe('a document with many versions', () => {
  it('gets a further one without a look at the others, and only the newest before it is ended', async () => {
    const tenant = await makeTenant(pools())
    await makeScope(pools(), tenant, 'default')
    const document = newDocument(tenant, { documentId: 'report', text: 'the first' })
    await acceptOne(pools().tenant, document)
    await addVersions(database(), document, MANY)
    const before = await versionsRead()
    await acceptOne(pools().tenant, newDocument(tenant, { documentId: 'report', text: 'the newest' }))
    await inTenant(pools().tenant, tenant.tenantId, (transaction) =>
      endVersionBefore(transaction, 'default', 'report', MANY + 2),
    )
    expect((await versionsRead()) - before).toBeLessThan(20)
    const versions = await versionsOf(database(), document)
    expect(versions.slice(0, 2)).toEqual([`${MANY + 1} superseded`, `${MANY} superseded`])
    expect(versions).toHaveLength(MANY + 1)
  })
})
