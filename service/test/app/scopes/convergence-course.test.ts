/** How settled a scope was over time, and how settled all scopes are. */
import { beforeEach, describe, expect, it } from 'vitest'
import { createConvergenceTotals } from '../../../src/app/health/convergence-stats.ts'
import { getScopeMetrics } from '../../../src/app/scopes/scope-stats.ts'
import { resetScope } from '../../../src/app/scopes/scope-erasure.ts'
import { openPools } from '../../../src/store/pools.ts'
import { selectConvergenceTotals } from '../../../src/store/scopes/convergence.ts'
import { freePort } from '@concord/tools/launch'
import { createClock } from '../../support/clock.ts'
import { useDatabase } from '../../support/database.ts'
import { documentsDeps, look } from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { auditor, makeScope, makeTenant, masterKeys } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { countQueries, usePools } from '../../support/pools.ts'

const database = useDatabase()
const api = usePools(database, 4)
let tenant: TestTenant

beforeEach(async () => {
  await look(database(), 'delete from scope_convergence')
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})

const points = async (step: '1m' | '1h' = '1m') => {
  const request = { from: undefined, to: undefined, step }
  return (await getScopeMetrics(documentsDeps(api()), tenant.caller, 'default', request)).points
}
/** Adds a move of the score, so long ago. */
const note = (minutesAgo: number, seq: number, score: number, state: string, of = tenant) =>
  look(
    database(),
    `insert into convergence_series (tenant_id, scope_id, seq, score, coverage, agreement, resolution, stability, state, ended, at)
     values ($1, 'default', $2, $3, 0, 0, 0, 0, $4, 0, now() - make_interval(mins => $5))`,
    [of.tenantId, seq, score, state, minutesAgo],
  )
/** Runs of equal points. */
const runs = (found: Awaited<ReturnType<typeof points>>) =>
  found
    .map(({ convergence }) => convergence && `${convergence.state} ${convergence.score}`)
    .filter((each, index, all) => index === 0 || each !== all[index - 1])

describe('the score of a scope over time', () => {
  it('is null before the score first changed', async () => {
    expect(runs(await points())).toEqual([null])
  })

  it('has for each point the score at its end, even without a change in it', async () => {
    await note(40, 101, 250_000, 'working')
    await note(20, 102, 400_000, 'contested')
    await note(20, 103, 500_000, 'converging')
    const found = await points()
    expect(runs(found)).toEqual([null, 'working 250000', 'converging 500000'])
    expect(found.filter(({ convergence }) => convergence?.state === 'working')).toHaveLength(20)
  })

  it('begins with the score before the first point, and covers only this scope', async () => {
    const other = await makeTenant(api())
    await makeScope(api(), other, 'default')
    await note(5, 200, 900_000, 'contested', other)
    await note(7 * 60, 101, 300_000, 'working')
    await note(6 * 60, 102, 1_000_000, 'settled')
    for (const step of ['1m', '1h'] as const) expect(runs(await points(step))).toEqual(['settled 1000000'])
  })

  it('is deleted with a reset', async () => {
    await note(5, 101, 250_000, 'working')
    expect(runs(await points()).at(-1)).toBe('working 250000')
    const deps = { ...documentsDeps(api()), auditor, masterKeys }
    await resetScope(deps, tenant.caller, 'default')
    expect(runs(await points())).toEqual([null])
  })
})

describe('all scopes', () => {
  it('are counted by state, with the mean score of those that are not empty', async () => {
    await makeScope(api(), tenant, 'second')
    await makeScope(api(), tenant, 'third')
    // Nobody else scores them meanwhile.
    const set = (scopeId: string, score: number, state: string) =>
      look(
        database(),
        `set local session_replication_role = replica;
         update scope_convergence set score = ${score}, state = '${state}'
          where tenant_id = '${tenant.tenantId}' and scope_id = '${scopeId}'`,
      )
    expect(await selectConvergenceTotals(api().kernel)).toEqual({ byState: { empty: 3 }, meanScore: null })
    await set('second', 1_000_000, 'settled')
    await set('third', 500_000, 'contested')
    expect(await selectConvergenceTotals(api().kernel)).toEqual({
      byState: { empty: 1, settled: 1, contested: 1 },
      meanScore: 0.75,
    })
  })

  it('are read once a minute, and again at once after an outage of the database', async () => {
    const clock = createClock()
    const { pool, count } = countQueries(api().kernel)
    const read = createConvergenceTotals(pool, clock.now)
    await Promise.all(Array.from({ length: 20 }, read))
    clock.advance(60_000)
    await read()
    expect(count()).toBe(1)
    clock.advance(1)
    expect(await read()).toBeDefined()
    expect(count()).toBe(2)
    const url = new URL(database().url('api'))
    url.port = String(await freePort())
    const away = openPools({ url: url.href, size: 1, log: silentLog })
    expect(await createConvergenceTotals(away.kernel, clock.now)()).toBeUndefined()
    await away.close()
  })
})
