/** Tests that moves are counted while 2,000 documents go their way, by two dispatchers at once. */
import { expect, it } from 'vitest'
import { foldMoves } from '../../../src/app/upkeep/scope-moves.ts'
import { startAttempts, completeAttempts } from '../../../src/store/processing/attempts.ts'
import type { StoredAttemptResult, WorkRef } from '../../../src/store/processing/attempts.ts'
import { selectDocumentCounts } from '../../../src/store/scopes/scope-stats.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import type { SweepPosition } from '../../../src/store/upkeep/retention.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptAll, look, newDocument, processedResult, dispatchAll } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 4, 'worker')

async function pass(): Promise<void> {
  let position: SweepPosition | null = null
  do position = await foldMoves(worker(), position)
  while (position)
}

const unfolded = async (): Promise<number> => {
  const [row] = await look<{ rows: number }>(database(), 'select count(*)::int as rows from scope_moves')
  return row?.rows ?? 0
}

/** Calls it with ten at a time until there are none left. */
async function inTens<Each>(all: readonly Each[], work: (some: Each[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += 10) await work(all.slice(at, at + 10))
}

async function settleAll(results: StoredAttemptResult[]): Promise<void> {
  for (let left = results; left.length > 0;) {
    const outcomes = await completeAttempts(worker().tenant, left)
    left = left.filter((_, index) => outcomes[index] === 'busy')
  }
}

async function claimAll(places: WorkRef[]): Promise<void> {
  for (let left = places; left.length > 0;) {
    const answers = await startAttempts(worker().tenant, left, 5)
    left = left.filter((_, index) => answers[index]?.outcome === 'busy')
  }
}

it('two dispatchers that count at once keep the table small, and the sums are right', async () => {
  const tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  const counts = () =>
    inTenant(api().tenant, tenant.tenantId, (transaction) => selectDocumentCounts(transaction, 'default'))
  const load = { isOver: false }
  let most = 0
  const folding = async (): Promise<void> => {
    while (!load.isOver) {
      await pass()
      most = Math.max(most, await unfolded())
    }
  }
  const folders = [folding(), folding()]
  const documents = Array.from({ length: 2_000 }, (_, nth) => newDocument(tenant, { documentId: `d${nth}` }))
  await inTens(documents, (some) => acceptAll(api().tenant, some))
  const places = await dispatchAll(worker(), tenant)
  await inTens(places, claimAll)
  await inTens(places, (some) => settleAll(some.map((place) => processedResult(place, 1))))
  load.isOver = true
  await Promise.all(folders)
  // 600 statements noted at least one move each.
  expect(most).toBeLessThan(200)
  expect(await counts()).toEqual({ queued: 0, processing: 0, processed: 2_000 })
  await look(database(), `update scope_moves set at = at - interval '2 minutes'`)
  await pass()
  expect(await unfolded()).toBe(0)
  expect(await counts()).toEqual({ queued: 0, processing: 0, processed: 2_000 })
  const [period] = await look(
    database(),
    `select sum(accepted)::int as accepted, sum(processed)::int as processed from scope_periods
      where tenant_id = $1 and seconds = 86400`,
    [tenant.tenantId],
  )
  expect(period).toEqual({ accepted: 2_000, processed: 2_000 })
})
