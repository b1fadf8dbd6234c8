/** Few reports are made at a time, and not all of one tenant. */
import { expect, it } from 'vitest'
import type { TenantCaller } from '../../src/domain/caller.ts'
import { getOwnScopeReport } from '../../src/http/public/get-own-scope-report.ts'
import { isUnavailable } from '../../src/store/failures.ts'
import { useArchive } from '../support/archive.ts'
import { useDatabase } from '../support/database.ts'
import { documentsDeps } from '../support/documents.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
const archive = useArchive(database, pools)

/** Reports wait for a connection until `open`, and are counted. */
function createGate() {
  const gate = Promise.withResolvers<void>()
  const counts = { inside: 0, highest: 0 }
  const connect = async () => {
    counts.inside += 1
    counts.highest = Math.max(counts.highest, counts.inside)
    await gate.promise
    counts.inside -= 1
    return pools().tenant.connect()
  }
  const tenant = Object.assign(Object.create(pools().tenant), { connect })
  return { pools: { ...pools(), tenant }, counts, open: () => gate.resolve() }
}

it('makes three reports at a time, one of them of another tenant, and refuses those that wait for long', async () => {
  const other = await makeTenant(pools(), 'Borealis')
  await makeScope(pools(), other, 'default')
  const gate = createGate()
  const route = getOwnScopeReport({ ...documentsDeps(pools()), pools: gate.pools })
  const input = {
    requestId: 'r',
    answerBy: Infinity,
    params: { scopeId: 'default' },
    query: { format: 'json' },
    body: undefined,
    headers: {},
  }
  const ask = async (who: TenantCaller) => route.answer({ ...input, who })
  const reports = Array.from({ length: 20 }, () => ask(archive().tenant.caller))
  const another = ask(other.caller)
  const refused = (await Promise.allSettled(reports.slice(2))).map((each) =>
    each.status === 'rejected' ? isUnavailable(each.reason) : false,
  )
  expect(refused).toEqual(Array(18).fill(true))
  expect(gate.counts).toEqual({ inside: 3, highest: 3 })
  gate.open()
  for (const report of [...reports.slice(0, 2), another]) expect(await report).toMatchObject({ status: 200 })
})
