/** The loop that compares: all that is due, for every tenant, however the endpoint behaves. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findDueSteps } from '../../src/app/comparing/comparison-steps.ts'
import { createComparer } from '../../src/worker/comparer.ts'
import type { Comparer, ComparerDeps } from '../../src/worker/comparer.ts'
import { openBureau } from '../support/claims.ts'
import { compareByNumbers, openComparing, questionIn } from '../support/comparing-model.ts'
import { useDatabase } from '../support/database.ts'
import { look } from '../support/documents.ts'
import { stated, statedPaper } from '../support/facts.ts'
import { silentLog } from '../support/log.ts'
import { failWith, useModelServer } from '../support/model-endpoint.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'

vi.setConfig({ testTimeout: 30_000 })

const database = useDatabase()
const server = useModelServer()
const api = usePools(database, 2)
const worker = usePools(database, 6, 'worker')
const running: Comparer[] = []

beforeEach(() => server().behave(compareByNumbers()))
afterEach(async () => {
  for (const comparer of running.splice(0)) await comparer.stop()
})

async function openTenant() {
  const tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
  const bureau = openBureau(api(), worker(), tenant)
  return { tenant, bureau, ...openComparing(worker(), tenant, bureau, server()) }
}

async function startComparer(deps: ComparerDeps): Promise<Comparer> {
  const comparer = createComparer(deps)
  running.push(comparer)
  await comparer.start()
  return comparer
}

const stepsLeft = async () => {
  const [row] = await look<{ steps: number }>(
    database(),
    'select count(*)::int as steps from comparison_steps',
  )
  return row?.steps
}
const contradictionsOf = async (tenantId: string) => {
  const [row] = await look<{ found: number }>(
    database(),
    'select count(*)::int as found from contradictions where tenant_id = $1',
    [tenantId],
  )
  return row?.found
}

describe('the comparer', () => {
  it('compares what is due for every tenant, by several workers at once, each pair once', async () => {
    const [one, other] = [await openTenant(), await openTenant()]
    for (const { bureau } of [one, other])
      await bureau.process(Array.from({ length: 6 }, (_, nth) => statedPaper(`d${nth}`, stated(10 + nth))))
    const deps = { ...one.deps, concurrency: 4, everyMs: 20, log: silentLog }
    await Promise.all([startComparer(deps), startComparer(deps)])
    await expect.poll(stepsLeft, { timeout: 20_000 }).toBe(0)
    // Each of six with each.
    expect([
      await contradictionsOf(one.tenant.tenantId),
      await contradictionsOf(other.tenant.tenantId),
    ]).toEqual([15, 15])
    const verified = server().requests.filter(({ body }) => questionIn(body).a)
    expect(verified).toHaveLength(30)
  })

  it('begins with one step of each tenant, however many another has', async () => {
    const [busy, light] = [await openTenant(), await openTenant()]
    await busy.bureau.process(
      Array.from({ length: 20 }, (_, nth) => statedPaper(`d${nth}`, stated(10 + nth))),
    )
    await light.bureau.process([statedPaper('d0', stated(10)), statedPaper('d1', stated(11))])
    const first = await findDueSteps(busy.deps, 2)
    expect(new Set(first.map(({ tenantId }) => tenantId))).toEqual(
      new Set([busy.tenant.tenantId, light.tenant.tenantId]),
    )
    await startComparer({ ...busy.deps, concurrency: 8, everyMs: 20, log: silentLog })
    await expect.poll(stepsLeft, { timeout: 20_000 }).toBe(0)
  })

  it('goes on by itself when the endpoint is back, and gives back what it has when it stops', async () => {
    const { bureau, tenant, deps } = await openTenant()
    await bureau.process([statedPaper('d1', stated(10)), statedPaper('d2', stated(11))])
    server().behave(failWith(500))
    const comparer = await startComparer({ ...deps, concurrency: 4, everyMs: 20, log: silentLog })
    await expect.poll(() => comparer.counts.steps.failed, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(await contradictionsOf(tenant.tenantId)).toBe(0)
    server().behave(compareByNumbers())
    await expect.poll(stepsLeft, { timeout: 20_000 }).toBe(0)
    expect(await contradictionsOf(tenant.tenantId)).toBe(1)

    // From now on it never answers.
    server().behave(() => undefined)
    server().requests.length = 0
    await bureau.process([statedPaper('d3', stated(12))])
    await expect.poll(() => server().requests.length, { timeout: 10_000 }).toBeGreaterThan(0)
    await comparer.stop()
    const [row] = await look<{ is_due: boolean; failures: number }>(
      database(),
      'select due_at <= now() as is_due, failures from comparison_steps where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(row).toEqual({ is_due: true, failures: 0 })
  })
})
