import { beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createQueueQuota } from '../../../src/app/documents/queue-quota.ts'
import type { QueueQuota, QuotaResult } from '../../../src/app/documents/queue-quota.ts'
import type { Pool, Pools } from '../../../src/store/pools.ts'
import { countAllQueued, countQueued } from '../../../src/store/documents/queue-size.ts'
import { inTenant } from '../../../src/store/transaction.ts'
import { createClock } from '../../support/clock.ts'
import type { TestClock } from '../../support/clock.ts'
import { useDatabase } from '../../support/database.ts'
import { acceptOne, look, newDocument } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { countQueries, usePools } from '../../support/pools.ts'

const database = useDatabase()
const pools = usePools(database)
let tenant: TestTenant
let other: TestTenant
let clock: TestClock

beforeEach(async () => {
  await look(database(), 'delete from work')
  clock = createClock()
  tenant = await makeTenant(pools())
  other = await makeTenant(pools())
  for (const each of [tenant, other]) await makeScope(pools(), each, 'default')
})

async function fill(whose: TestTenant, documents: number): Promise<void> {
  for (let time = 0; time < documents; time += 1) await acceptOne(pools().tenant, newDocument(whose))
}

const drain = () => look(database(), 'delete from work')

function quotaOf(limits: { perTenant?: number; total?: number }, from: Pools = pools()): QueueQuota {
  return createQueueQuota({
    pools: from,
    perTenant: limits.perTenant ?? Infinity,
    total: limits.total ?? Infinity,
    monotonicMs: clock.now,
  })
}

async function ask(quota: QueueQuota, whose: TestTenant, times: number): Promise<string[]> {
  const rooms: string[] = []
  for (let time = 0; time < times; time += 1) rooms.push(await quota.check(whose.tenantId))
  return rooms
}

/** The first question only has the queue counted; nobody waits for that. */
const untilItSays = (quota: QueueQuota, whose: TestTenant, room: QuotaResult) =>
  waitUntil(async () => (await quota.check(whose.tenantId)) === room, {
    what: `the answer ${room}`,
    everyMs: 5,
  })

/** The same pool, with what was asked of it to wait for. */
function watchQueries(pool: Pool): { readonly kernel: Pool; readonly asked: readonly unknown[] } {
  const asked: unknown[] = []
  const kernel = new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'query' || typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, args)
        asked.push(answer)
        return answer
      }
    },
  })
  return { kernel, asked }
}

describe('counting the queue', () => {
  it('counts waiting documents of one tenant and of all, up to the given bound', async () => {
    await fill(tenant, 3)
    await fill(other, 2)
    const count = (whose: TestTenant, bound: number) =>
      inTenant(pools().tenant, whose.tenantId, (transaction) => countQueued(transaction, bound))
    expect([await count(tenant, 10), await count(other, 10), await count(tenant, 2)]).toEqual([3, 2, 2])
    expect([await countAllQueued(pools().kernel, 10), await countAllQueued(pools().kernel, 4)]).toEqual([
      5, 4,
    ])
    await look(database(), `update work set state = 'ready', ticket = 1 where tenant_id = $1`, [
      tenant.tenantId,
    ])
    expect(await count(tenant, 10)).toBe(0)
  })

  it('reads the index of the backlog', async () => {
    const plan = await look<Record<string, string>>(
      database(),
      `explain select count(*) from (select from work where shard = shard_of($1) and tenant_id = $1
         and state = 'queued' limit 1000) waiting`.replaceAll('$1', `'${tenant.tenantId}'`),
    )
    expect(JSON.stringify(plan)).toMatch(/work_\w*shard_tenant_id_scope_id_position\w*/)
  })
})

describe('the quota of a tenant', () => {
  it('accepts documents up to the quota, even without a query in between', async () => {
    const quota = quotaOf({ perTenant: 3 })
    await quota.check(other.tenantId)
    const rooms: string[] = []
    for (let time = 0; time < 5; time += 1) {
      const room = await quota.check(tenant.tenantId)
      rooms.push(room)
      if (room === 'room') await fill(tenant, 1)
    }
    expect(rooms).toEqual(['room', 'room', 'room', 'tenant_full', 'tenant_full'])
  })

  it('applies to one tenant only', async () => {
    await fill(tenant, 3)
    const quota = quotaOf({ perTenant: 3 })
    await untilItSays(quota, tenant, 'tenant_full')
    expect(await ask(quota, other, 2)).toEqual(['room', 'room'])
  })

  it('accepts documents again within a second after the queue was processed', async () => {
    await fill(tenant, 3)
    const quota = quotaOf({ perTenant: 3 })
    await untilItSays(quota, tenant, 'tenant_full')
    await drain()
    expect(await ask(quota, tenant, 1)).toEqual(['tenant_full'])
    clock.advance(1_000)
    expect(await ask(quota, tenant, 1)).toEqual(['room'])
  })

  it('does not count accepted and processed documents as waiting', async () => {
    const quota = quotaOf({ perTenant: 3 })
    expect(await ask(quota, tenant, 10)).toEqual(Array.from({ length: 10 }, () => 'room'))
  })

  it('includes documents that other processes accepted', async () => {
    const quota = quotaOf({ perTenant: 4 })
    expect(await ask(quota, tenant, 2)).toEqual(['room', 'room'])
    await fill(tenant, 4)
    clock.advance(1_000)
    await untilItSays(quota, tenant, 'tenant_full')
  })

  it('queries the database seldom, and never before a request while far below the quota', async () => {
    const { kernel, asked } = watchQueries(pools().kernel)
    const quota = quotaOf({ total: 1_000_000 }, { ...pools(), kernel })
    for (let time = 0; time < 1_000; time += 1) expect(quota.check(tenant.tenantId)).toBe('room')
    await asked[0]
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toHaveLength(1)
    clock.advance(9_999)
    expect(quota.check(tenant.tenantId)).toBe('room')
    expect(asked).toHaveLength(1)
    clock.advance(1)
    expect(quota.check(tenant.tenantId)).toBe('room')
    expect(asked).toHaveLength(2)
    await asked[1]
  })

  it('keeps the last count while the database does not answer, and adds accepted documents', async () => {
    const counted = countQueries(pools().kernel)
    const quota = quotaOf({ total: 3 }, { ...pools(), kernel: counted.pool })
    const askWhileAway = async () => {
      counted.failNext(new Error('away'))
      return quota.check(tenant.tenantId)
    }
    const rooms = [await askWhileAway(), await askWhileAway(), await askWhileAway(), await askWhileAway()]
    expect(rooms).toEqual(['room', 'room', 'room', 'service_full'])
    clock.advance(1_000)
    await untilItSays(quota, tenant, 'room')
  })
})

describe('the bound over all tenants', () => {
  it('applies to all of them together', async () => {
    await fill(tenant, 2)
    await fill(other, 2)
    const quota = quotaOf({ total: 4, perTenant: 10 })
    await untilItSays(quota, tenant, 'service_full')
    expect(await ask(quota, other, 1)).toEqual(['service_full'])
  })

  it('is reported after the quota of the tenant', async () => {
    await fill(tenant, 2)
    const quota = quotaOf({ total: 2, perTenant: 2 })
    await untilItSays(quota, other, 'service_full')
    await untilItSays(quota, tenant, 'tenant_full')
    expect(await ask(quota, tenant, 2)).toEqual(['tenant_full', 'tenant_full'])
  })
})
