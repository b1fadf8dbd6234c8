import { describe, expect, it } from 'vitest'
import { acceptDocuments } from '../../src/store/documents/acceptance.ts'
import { startAttempts, completeAttempts } from '../../src/store/processing/attempts.ts'
import { dispatchWork, renewLeases } from '../../src/store/processing/dispatch.ts'
import { useDatabase } from '../support/database.ts'
import { look, newDocument, processedResult, SHARDS } from '../support/documents.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'

/** One connection each: a plan belongs to a connection, and is kept as long as it lasts. */
const database = useDatabase()
const api = usePools(database, 1)
const worker = usePools(database, 1, 'worker')

const MANY = 3_000
const FEW = 20

/** Rows read of the tables of documents and work since the server began to count. */
async function rowsRead(): Promise<number> {
  for (const pool of [api().tenant, worker().tenant, worker().kernel])
    await pool.query('select pg_stat_force_next_flush()')
  const [found] = await look<{ rows: number }>(
    database(),
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables
      where relname ~ '^(documents|document_versions|work|readings)_p'`,
  )
  return found?.rows ?? 0
}

describe('a plan that was made while the tables were empty', () => {
  it('still looks every row up by its key once they are full', async () => {
    const tenant = await makeTenant(api())
    await makeScope(api(), tenant, 'default')
    const holder = 'test'
    await renewLeases(worker().kernel, holder, 600)
    const accept = (count: number, text: string) =>
      acceptDocuments(
        api().tenant,
        Array.from({ length: count }, (_, at) => newDocument(tenant, { documentId: `d${at}`, text })),
      )
    const workOff = async () => {
      const dispatched = await dispatchWork(worker().kernel, { holder, shards: SHARDS, window: FEW })
      await startAttempts(worker().tenant, dispatched, 5)
      await completeAttempts(
        worker().tenant,
        dispatched.map((place) => processedResult(place, 1)),
      )
      return dispatched.length
    }
    // More often than Postgres needs to settle for one plan.
    for (let turn = 0; turn < 8; turn += 1) {
      await accept(2, `first ${turn}`)
      expect(await workOff()).toBe(2)
    }
    await accept(MANY, 'then')
    expect(await workOff()).toBe(FEW)

    const before = await rowsRead()
    await accept(FEW, 'at last')
    expect(await workOff()).toBe(FEW)
    // A few rows for each document and statement; all of them for each would be a hundred times as many.
    expect((await rowsRead()) - before).toBeLessThan(FEW * 60)
  })
})
