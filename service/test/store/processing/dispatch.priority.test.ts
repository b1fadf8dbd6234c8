import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptDocuments } from '../../../src/store/documents/acceptance.ts'
import { dispatchWork } from '../../../src/store/processing/dispatch.ts'
import { useDatabase } from '../../support/database.ts'
import { look, newDocument, SHARDS } from '../../support/documents.ts'
import { makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { usePools } from '../../support/pools.ts'

const HOLDER = 'test'
const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 2, 'worker')
let acme: TestTenant
let borealis: TestTenant

beforeAll(async () => {
  ;[acme, borealis] = [await makeTenant(api()), await makeTenant(api())]
  for (const tenant of [acme, borealis]) await makeScope(api(), tenant, 'default')
})
beforeEach(async () => {
  await look(database(), 'delete from work')
  await look(database(), `update dispatch_leases set holder = $1, expires_at = now() + interval '1 hour'`, [
    HOLDER,
  ])
})

let made = 0
const queue = (tenant: TestTenant, count: number) =>
  acceptDocuments(
    api().tenant,
    Array.from({ length: count }, () => newDocument(tenant, { documentId: `d${(made += 1)}` })),
  )
const fill = (priority: number, window = 100) =>
  dispatchWork(worker().kernel, { holder: HOLDER, shards: SHARDS, window, priority })
const expressOf = (dispatched: Awaited<ReturnType<typeof fill>>, { tenantId }: TestTenant) =>
  dispatched.filter((each) => each.priority && each.tenantId === tenantId).length

describe('the priority line', () => {
  it('takes the first few of each tenant', async () => {
    await queue(acme, 9)
    await queue(borealis, 2)
    const dispatched = await fill(3)
    expect(dispatched).toHaveLength(11)
    expect([expressOf(dispatched, acme), expressOf(dispatched, borealis)]).toEqual([3, 2])
  })

  it('takes nothing of a tenant that has its part of the window under way, and more as that ends', async () => {
    // A quarter of the window is for these two: 12 for each.
    await queue(borealis, 1)
    await queue(acme, 11)
    expect(expressOf(await fill(3), acme)).toBe(3)
    await queue(acme, 4)
    expect(expressOf(await fill(3), acme)).toBe(1)
    await queue(acme, 4)
    expect(expressOf(await fill(3), acme)).toBe(0)
    await look(database(), 'delete from work where tenant_id = $1', [acme.tenantId])
    await queue(acme, 4)
    expect(expressOf(await fill(3), acme)).toBe(3)
  })

  it('takes the next ones of a tenant whose earlier ones still wait in the standard queue', async () => {
    await queue(acme, 60)
    await queue(borealis, 8)
    await fill(3)
    await queue(borealis, 1)
    expect(expressOf(await fill(3), borealis)).toBe(1)
  })

  it('has room that the standard queue leaves free', async () => {
    await queue(acme, 100)
    // An eighth of the window is kept.
    expect(await fill(3, 40)).toHaveLength(35)
    expect(await fill(3, 40)).toEqual([])
    await queue(borealis, 9)
    const dispatched = await fill(3, 40)
    expect(dispatched.map(({ tenantId, priority }) => [tenantId, priority])).toEqual(
      Array.from({ length: 3 }, () => [borealis.tenantId, true]),
    )
    await queue(borealis, 1)
    expect(await fill(3, 40)).toHaveLength(2)
    expect(await fill(3, 40)).toEqual([])
  })

  it('takes nothing where it is closed', async () => {
    await queue(acme, 2)
    expect((await fill(0)).map(({ priority }) => priority)).toEqual([false, false])
  })
})
