import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { isUnavailable } from '../../src/store/failures.ts'
import { openPools } from '../../src/store/pools.ts'
import type { Pools } from '../../src/store/pools.ts'
import { inTenant, inTenantSnapshot } from '../../src/store/transaction.ts'
import { useDatabase } from '../support/database.ts'
import { silentLog } from '../support/log.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'
import { asRole } from '../support/sessions.ts'

const database = useDatabase()
// One connection, so that whatever a transaction leaves behind is what the next statement finds.
const pools = usePools(database, 1)
let tenant: TestTenant

beforeAll(async () => {
  tenant = await makeTenant(pools())
  await makeScope(pools(), tenant, 'default')
})

const scopesSeen = async (source: pg.Pool | pg.PoolClient) =>
  (await source.query<{ scope_id: string }>('select scope_id from scopes')).rows.map((row) => row.scope_id)

const backendOf = async (source: pg.Pool | pg.PoolClient) =>
  (await source.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid

describe('a transaction of a tenant', () => {
  it('sees the rows of that tenant, and gives back what its work returned', async () => {
    const seen = await inTenant(pools().tenant, tenant.tenantId, ({ connection }) => scopesSeen(connection))
    expect(seen).toEqual(['default'])
  })

  it('keeps what it wrote once it has ended well', async () => {
    const name = 'written once'
    await inTenant(pools().tenant, tenant.tenantId, ({ connection }) =>
      connection.query('update tenants set name = $1', [name]),
    )
    const stored = await asRole(database(), 'registrar', (client) =>
      client.query('select name from tenants where tenant_id = $1', [tenant.tenantId]),
    )
    expect(stored.rows).toEqual([{ name }])
  })

  it('keeps nothing when its work fails, and passes the failure on unchanged', async () => {
    const failure = new Error('changed my mind')
    const failing = inTenant(pools().tenant, tenant.tenantId, async ({ connection }) => {
      await connection.query(`update tenants set name = 'never'`)
      throw failure
    })
    await expect(failing).rejects.toBe(failure)
    const stored = await asRole(database(), 'registrar', (client) => client.query('select name from tenants'))
    expect(stored.rows).not.toContainEqual({ name: 'never' })
  })

  it('is never reported as done when a statement in it failed, even if its work kept that to itself', async () => {
    const swallowed = inTenant(pools().tenant, tenant.tenantId, async ({ connection }) => {
      await connection.query(`update tenants set name = 'lost'`)
      await connection.query('select no_such_function()').catch(() => undefined)
    })
    await expect(swallowed).rejects.toBeInstanceOf(Error)
  })

  it.each(['', 'default', `${randomUUID()}'; drop table scopes; --`, randomUUID().toUpperCase()])(
    'is refused for %j, which is no tenant id, before anything is sent',
    async (tenantId) => {
      let ran = false
      const work = async () => void (ran = true)
      await expect(inTenant(pools().tenant, tenantId, work)).rejects.toThrow(/must be a UUID/)
      expect(ran).toBe(false)
    },
  )
})

describe('the tenant of a transaction', () => {
  const remains = () =>
    pools().tenant.query<{ setting: string }>(`select current_setting('app.tenant', true) as setting`)

  it('does not outlive a commit on the same connection', async () => {
    const inside = await inTenant(pools().tenant, tenant.tenantId, ({ connection }) => backendOf(connection))
    expect(await backendOf(pools().tenant)).toBe(inside)
    expect((await remains()).rows).toEqual([{ setting: '' }])
    expect(await scopesSeen(pools().tenant)).toEqual([])
  })

  it('does not outlive a rollback on the same connection', async () => {
    let inside: number | undefined
    const failing = inTenant(pools().tenant, tenant.tenantId, async ({ connection }) => {
      inside = await backendOf(connection)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await backendOf(pools().tenant)).toBe(inside)
    expect(await scopesSeen(pools().tenant)).toEqual([])
  })

  it('does not outlive a failed statement on the same connection', async () => {
    const failing = inTenant(pools().tenant, tenant.tenantId, ({ connection }) => connection.query('selekt'))
    await expect(failing).rejects.toThrow('syntax error')
    expect(await scopesSeen(pools().tenant)).toEqual([])
  })

  it('is the right one for every one of many transactions that share few connections', async () => {
    const few = openPools({ url: database().url('api'), size: 3, log: silentLog })
    const other = await makeTenant(few)
    await makeScope(few, other, 'elsewhere')
    const asked = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? tenant : other))
    const seen = await Promise.all(
      asked.map(({ tenantId }) => inTenant(few.tenant, tenantId, ({ connection }) => scopesSeen(connection))),
    )
    expect(seen).toEqual(asked.map((each) => [each === tenant ? 'default' : 'elsewhere']))
    await few.close()
  })
})

describe('a connection that breaks', () => {
  const terminate = (pid: number | undefined) =>
    asRole(database(), 'superuser', (client) => client.query('select pg_terminate_backend($1)', [pid]))

  async function breakInside(target: Pools): Promise<{ pid: number | undefined; failure: unknown }> {
    let pid: number | undefined
    const failure = await inTenant(target.tenant, tenant.tenantId, async ({ connection }) => {
      pid = await backendOf(connection)
      await terminate(pid)
      return connection.query('select 1')
    }).catch((error: unknown) => error)
    return { pid, failure }
  }

  it('inside a transaction is told as "unavailable" and is not handed to the next one', async () => {
    const { pid, failure } = await breakInside(pools())
    expect(isUnavailable(failure)).toBe(true)
    expect(await backendOf(pools().tenant)).not.toBe(pid)
    expect(
      await inTenant(pools().tenant, tenant.tenantId, ({ connection }) => scopesSeen(connection)),
    ).toEqual(['default'])
  })

  it('or falls silent is given up at once, and not waited for a second time', async () => {
    const asked = performance.now()
    let pid: number | undefined
    const failure = await inTenant(pools().tenant, tenant.tenantId, async ({ connection }) => {
      pid = await backendOf(connection)
      const statement = { text: 'select pg_sleep(4)', query_timeout: 200 }
      return connection.query(statement)
    }).catch((error: unknown) => error)
    expect(isUnavailable(failure)).toBe(true)
    // A rollback on that connection would have to wait until it wakes up.
    expect(performance.now() - asked).toBeLessThan(2_000)
    await terminate(pid)
    expect(await backendOf(pools().tenant)).not.toBe(pid)
  })

  it('does not make the pool smaller', async () => {
    for (let round = 0; round < 3; round += 1) await breakInside(pools())
    expect(pools().tenant.waitingCount).toBe(0)
    expect(await scopesSeen(pools().tenant)).toEqual([])
  })
})

describe('statements that do not wait for each other', () => {
  const worker = usePools(database, 1, 'worker')

  it('are answered in order, and one that fails takes those behind it along and the transaction back', async () => {
    const pool = worker().tenant
    const both = await inTenant(pool, tenant.tenantId, ({ connection }) =>
      Promise.all([connection.query('select 1 as n'), connection.query('select 2 as n')]),
    )
    expect(both.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]])
    const backend = await backendOf(pool)
    await expect(
      inTenant(pool, tenant.tenantId, ({ connection }) =>
        Promise.all([connection.query('select 1 / 0'), connection.query('select 2')]),
      ),
    ).rejects.toThrow('division by zero')
    // On the same connection, which is as good as before.
    expect(await backendOf(pool)).toBe(backend)
    expect(await scopesSeen(pool)).toEqual([])
  })
})

describe('a snapshot of a tenant', () => {
  it('shows in its second statement what its first one saw, whatever was committed between them', async () => {
    const name = async (connection: pg.PoolClient) =>
      (await connection.query<{ name: string }>('select name from tenants')).rows[0]?.name
    const seen = await inTenantSnapshot(pools().tenant, tenant.tenantId, async ({ connection }) => {
      const before = await name(connection)
      await asRole(database(), 'api', async (client) => {
        await client.query(`select set_config('app.tenant', $1, false)`, [tenant.tenantId])
        await client.query('update tenants set name = $1', ['renamed'])
      })
      return [before, await name(connection)]
    })
    expect(seen[1]).toBe(seen[0])
    expect(seen[0]).not.toBe('renamed')
  })

  it('writes nothing', async () => {
    const writing = inTenantSnapshot(pools().tenant, tenant.tenantId, ({ connection }) =>
      connection.query('update tenants set name = $1', ['written']),
    )
    await expect(writing).rejects.toMatchObject({ code: '25006' })
  })
})
