/** Tests which requests a process that cannot keep up refuses, and what it goes on doing. */
import { expect, it } from 'vitest'
import { bearer } from '../support/api.ts'
import { useDatabase } from '../support/database.ts'
import { noLimits } from '../support/limits.ts'
import { createMemoryLog } from '../support/log.ts'
import { madeUpRoute } from '../support/made-up.ts'
import { usePools } from '../support/pools.ts'
import { codeOf } from '../support/problem.ts'
import { buildServer, makePeople } from '../support/server.ts'

const database = useDatabase()
const pools = usePools(database)

const routes = [
  madeUpRoute({ path: '/api/things', method: 'POST', tier: 'public' }, 'tenant'),
  madeUpRoute({ path: '/api/things', tier: 'public' }, 'tenant'),
  madeUpRoute({ path: '/api/things', method: 'DELETE', tier: 'public' }, 'tenant'),
  madeUpRoute({ path: '/admin/things', method: 'POST', tier: 'admin', tenantKey: true }, 'tenant'),
  madeUpRoute({ path: '/open' }),
]

it('while it is late it takes nothing in from tenants, and everything else is answered', async () => {
  let late = true
  const server = buildServer(pools(), routes, createMemoryLog(), noLimits({ isLate: () => late }))
  const { tenant, admin } = await makePeople(pools())
  const own = bearer(tenant.key)
  const send = () => server.inject({ method: 'POST', url: '/api/things', headers: own })

  const shed = await send()
  expect(codeOf(shed)).toBe('overloaded')
  expect(shed.headers['retry-after']).toBe('2')
  const beside = { ...bearer(admin), 'x-tenant-api-key': tenant.key }
  const served = [
    await server.inject({ url: '/api/things', headers: own }),
    await server.inject({ method: 'DELETE', url: '/api/things', headers: own }),
    await server.inject({ method: 'POST', url: '/admin/things', headers: beside }),
    await server.inject({ url: '/open' }),
  ]
  expect(served.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  late = false
  expect((await send()).statusCode).toBe(200)
  await server.close()
})
