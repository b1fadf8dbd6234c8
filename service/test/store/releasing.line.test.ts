import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptDocuments } from '../../src/store/accepting.ts'
import { releaseWork } from '../../src/store/releasing.ts'
import { useDatabase } from '../support/database.ts'
import { claimOne, look, newDocument, SHARDS } from '../support/documents.ts'
import { makeScope, makeTenant } from '../support/people.ts'
import type { TestTenant } from '../support/people.ts'
import { usePools } from '../support/pools.ts'

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

describe('the line to the workers', () => {
  const fill = (line: number) =>
    releaseWork(worker().kernel, { holder: HOLDER, shards: SHARDS, window: 100, line })

  it('bounds what is released and not claimed yet, and has room again with each claim', async () => {
    await queue(acme, 9)
    const [first, second] = await fill(4)
    if (!first || !second) throw new Error('nothing was released')
    expect(await fill(4)).toEqual([])
    await claimOne(worker().tenant, first)
    await claimOne(worker().tenant, second)
    expect(await fill(4)).toHaveLength(2)
  })

  it('has the next place for the tenant with the least under way', async () => {
    await queue(acme, 9)
    const [first] = await fill(4)
    if (!first) throw new Error('nothing was released')
    await queue(borealis, 1)
    await claimOne(worker().tenant, first)
    expect((await fill(4)).map(({ tenantId }) => tenantId)).toEqual([borealis.tenantId])
  })

  it('is not taken by what waits for another attempt', async () => {
    await queue(acme, 6)
    const released = await fill(3)
    await look(database(), `update work set attempt = 1 where state = 'ready'`)
    expect(released).toHaveLength(3)
    expect(await fill(3)).toHaveLength(3)
  })

  it('is not taken for long by what nobody claims', async () => {
    await queue(acme, 6)
    await fill(3)
    await look(database(), `update work set touched_at = now() - interval '1 s' where state = 'ready'`)
    expect(await fill(3)).toHaveLength(3)
  })
})
