import { describe, expect, it, vi } from 'vitest'
import { removeDocument } from '../../../src/app/documents/documents.ts'
import { openBureau, statement } from '../../support/claims.ts'
import type { Paper } from '../../support/claims.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, look } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

vi.setConfig({ testTimeout: 180_000 })

/** One connection each: a plan belongs to a connection, and is kept as long as it lasts. */
const database = useDatabase()
const api = usePools(database, 1)
const worker = usePools(database, 1, 'worker')

const BATCH = 50

/** Entries that were read of the indexes of claims and findings, and rows that were read without one. */
async function entriesRead(): Promise<number> {
  for (const pool of [api().tenant, worker().tenant]) await pool.query('select pg_stat_force_next_flush()')
  const [found] = await look<{ entries: number }>(
    database(),
    `select ((select sum(idx_tup_read) from pg_stat_user_indexes where relname ~ '^(claims|claim_keys|contradictions)_p')
           + (select sum(seq_tup_read) from pg_stat_user_tables where relname ~ '^(claims|claim_keys|contradictions)_p'))::int
         as entries`,
  )
  return found?.entries ?? 0
}

describe('one more document', () => {
  it('costs the same in a scope of a thousand as in one of a hundred, although all are about the same', async () => {
    const tenant = await makeTenant(api())
    await makeScope(api(), tenant, 'default')
    const bureau = openBureau(api(), worker(), tenant)
    const paper = (nth: number): Paper => ({
      documentId: `d${nth}`,
      // One measure on which no two agree, one on which there are four opinions, one on which all agree.
      claims: [
        statement(1 + nth / 10),
        statement(1 + (nth % 4), 'Borealis', 'debt'),
        statement(7, 'Borealis', 'rent'),
      ],
    })
    const costs: number[] = []
    for (let nth = 0; nth < 1_000; nth += BATCH) {
      const results = await bureau.begin(Array.from({ length: BATCH }, (_, index) => paper(nth + index)))
      const before = await entriesRead()
      await Promise.all(results.map((result) => bureau.attempts.complete(result)))
      costs.push((await entriesRead()) - before)
    }
    const [early, late] = [costs.slice(2, 4), costs.slice(-2)].map((each) => Math.max(...each))
    expect(late).toBeLessThan(1.5 * (early ?? 0))
    // Some dozens for each of six groups that all share, whatever the number of documents.
    expect(late).toBeLessThan(40 * BATCH)
    // Those that lost their place stay, and a place is taken ever more rarely.
    expect((await bureau.findings()).length).toBeLessThan(200)

    const costOf = async (work: () => Promise<unknown>) => {
      const before = await entriesRead()
      await work()
      return (await entriesRead()) - before
    }
    const newer = await bureau.begin(Array.from({ length: BATCH }, (_, index) => paper(100 + index)))
    const replacing = () => Promise.all(newer.map((result) => bureau.attempts.complete(result)))
    expect(await costOf(replacing)).toBeLessThan(80 * BATCH)
    const removing = () => removeDocument(documentsDeps(api()), tenant.caller, 'default', 'd500')
    expect(await costOf(removing)).toBeLessThan(1_000)
  })
})
