/** The cost of one more document does not depend on how many facts its scope has. */
import { expect, it, vi } from 'vitest'
import { findDueSteps, leaseStep } from '../../../src/app/comparing/comparison-steps.ts'
import { openBureau } from '../../support/claims.ts'
import { openComparing } from '../../support/comparing-model.ts'
import { useDatabase } from '../../support/database.ts'
import { look } from '../../support/documents.ts'
import { stated, statedPaper } from '../../support/facts.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

vi.setConfig({ testTimeout: 180_000 })

/** One connection each: a plan belongs to a connection, and is kept as long as it lasts. */
const database = useDatabase()
const api = usePools(database, 1)
const worker = usePools(database, 1, 'worker')

const BATCH = 25
const FACTS = 20
const TABLES = '^(facts|fact_witnesses|fact_postings|fact_words|fact_counts|claims|comparison_steps)_p'

/** Entries that were read of indexes, and rows that were read without one. */
async function entriesRead(): Promise<number> {
  for (const pool of [api().tenant, worker().tenant]) await pool.query('select pg_stat_force_next_flush()')
  const [found] = await look<{ entries: number }>(
    database(),
    `select ((select sum(idx_tup_read) from pg_stat_user_indexes where relname ~ '${TABLES}')
           + (select sum(seq_tup_read) from pg_stat_user_tables where relname ~ '${TABLES}'))::int as entries`,
  )
  return found?.entries ?? 0
}

it('costs the same to file and to compare in a scope of eight thousand facts as in one of two thousand', async () => {
  const tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  const bureau = openBureau(api(), worker(), tenant)
  // Nothing is asked: what is measured is how a step is filed and loaded.
  const { deps } = openComparing(worker(), tenant, bureau, { url: 'http://127.0.0.1:9/v1' }, { budget: 500 })
  const paper = (nth: number) =>
    statedPaper(
      `d${nth}`,
      ...Array.from({ length: FACTS }, (_, at) => stated(nth * FACTS + at, `Firm${at}`, `measure${nth % 7}`)),
    )
  const costs: { filed: number; loaded: number }[] = []
  for (let nth = 0; nth < 400; nth += BATCH) {
    const results = await bureau.begin(Array.from({ length: BATCH }, (_, index) => paper(nth + index)))
    const before = await entriesRead()
    await Promise.all(results.map((result) => bureau.attempts.complete(result)))
    const filed = await entriesRead()
    const places = await findDueSteps(deps, 3)
    const looked = await entriesRead()
    for (const place of places) expect(typeof (await leaseStep(deps, place))).toBe('object')
    costs.push({ filed: filed - before, loaded: (await entriesRead()) - looked })
    await look(database(), 'delete from comparison_steps where tenant_id = $1', [tenant.tenantId])
  }
  for (const part of ['filed', 'loaded'] as const) {
    const [early, late] = [costs.slice(3, 6), costs.slice(-3)].map((each) =>
      Math.max(...each.map((cost) => cost[part])),
    )
    expect(late).toBeLessThan(1.5 * (early ?? 0))
  }
})
