import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createAttempts } from '../../../src/app/processing/attempts.ts'
import type { AttemptResult } from '../../../src/app/processing/attempts.ts'
import { isUnavailable } from '../../../src/store/failures.ts'
import { openPools } from '../../../src/store/pools.ts'
import type { Pools } from '../../../src/store/pools.ts'
import { useDatabase } from '../../support/database.ts'
import {
  documentRow,
  makeReady,
  newDocument,
  processedResult,
  storyOf,
  unsuccessful,
} from '../../support/documents.ts'
import { silentLog } from '../../support/log.ts'
import { auditor, makeScope, makeTenant } from '../../support/people.ts'
import type { TestTenant } from '../../support/people.ts'
import { countQueries, usePools } from '../../support/pools.ts'
import { openProxy } from '../../support/proxy.ts'
import type { Proxy } from '../../support/proxy.ts'
import { policiesOf } from '../../support/policies.ts'

const database = useDatabase()
const api = usePools(database, 2)
const worker = usePools(database, 4, 'worker')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await makeTenant(api())
  await makeScope(api(), tenant, 'default')
})

const ready = (documentId: string) =>
  makeReady({ api: api().tenant, worker: worker() }, newDocument(tenant, { documentId }))

describe('attempts', () => {
  it('share statements when they are made together', async () => {
    const { pool, count } = countQueries(worker().tenant)
    const attempts = createAttempts({ pool, policies: policiesOf(pool), auditor, maxStarts: 5 })
    const places = []
    for (let index = 0; index < 12; index += 1) places.push(await ready(`d${index}`))
    const claims = await Promise.all(places.map((place) => attempts.start(place)))
    expect(claims.map(({ outcome }) => outcome)).toEqual(Array(12).fill('claimed'))
    expect(count()).toBe(1)
    const outcomes = await Promise.all(places.map((place) => attempts.complete(processedResult(place, 1))))
    expect(outcomes).toEqual(Array(12).fill('settled'))
    expect(count()).toBe(2)
  })

  it('are counted one after the other when several for one document arrive at once', async () => {
    const attempts = createAttempts({
      pool: worker().tenant,
      policies: policiesOf(worker().tenant),
      auditor,
      maxStarts: 5,
    })
    const place = await ready('report')
    const claims = await Promise.all([attempts.start(place), attempts.start(place)])
    expect(
      claims.map((claim) => (claim.outcome === 'claimed' ? claim.attempt : 0)).toSorted((a, b) => a - b),
    ).toEqual([1, 2])
  })

  it('end as exhausted after the allowed number', async () => {
    const attempts = createAttempts({
      pool: worker().tenant,
      policies: policiesOf(worker().tenant),
      auditor,
      maxStarts: 1,
    })
    const place = await ready('report')
    expect(await attempts.start(place)).toMatchObject({ outcome: 'claimed' })
    expect(await attempts.start(place)).toEqual({ outcome: 'exhausted' })
  })

  it('fail alone when their result cannot be written', async () => {
    const attempts = createAttempts({
      pool: worker().tenant,
      policies: policiesOf(worker().tenant),
      auditor,
      maxStarts: 5,
    })
    const [good, bad] = [await ready('good'), await ready('bad')]
    await Promise.all([attempts.start(good), attempts.start(bad)])
    const nonsense = {
      ...unsuccessful(bad, 1, 'failed', 'x'),
      verdict: 'nonsense',
    } as unknown as AttemptResult
    const outcomes = await Promise.allSettled([
      attempts.complete(processedResult(good, 1)),
      attempts.complete(nonsense),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await documentRow(database(), good)).toMatchObject({ status: 'processed' })
    expect(await documentRow(database(), bad)).toMatchObject({ status: 'processing' })
  })

  it('are all answered after draining', async () => {
    const attempts = createAttempts({
      pool: worker().tenant,
      policies: policiesOf(worker().tenant),
      auditor,
      maxStarts: 5,
    })
    const place = await ready('report')
    let claimed = false
    void attempts.start(place).then(() => (claimed = true))
    await attempts.drain()
    expect(claimed).toBe(true)
  })
})

describe('attempts while the database is away', () => {
  let proxy: Proxy
  let own: Pools

  beforeEach(async () => {
    const { host, port } = database().services.postgres
    proxy = await openProxy({ host, port })
    const url = new URL(database().url('worker'))
    url.port = String(proxy.port)
    own = openPools({ url: url.href, size: 2, log: silentLog })
  })
  afterEach(async () => {
    await own.close()
    await proxy.close()
  })

  it('complete exactly once when the database is back', async () => {
    const { pool, count } = countQueries(own.tenant)
    const attempts = createAttempts({ pool, policies: policiesOf(pool), auditor, maxStarts: 5 })
    const place = await ready('report')
    await attempts.start(place)
    const { port } = proxy
    await proxy.close()
    const settling = attempts.complete(processedResult(place, 1))
    await waitUntil(() => count() >= 3, { what: 'it being tried in vain', everyMs: 10 })
    proxy = await openProxy(database().services.postgres, port)
    expect(await settling).toBe('settled')
    expect((await storyOf(database(), tenant)).filter((event) => event.includes('processed'))).toHaveLength(1)
  })

  it('fail to start without waiting, because the broker redelivers the message', async () => {
    const attempts = createAttempts({
      pool: own.tenant,
      policies: policiesOf(own.tenant),
      auditor,
      maxStarts: 5,
    })
    const place = await ready('report')
    await proxy.close()
    const failure = await attempts.start(place).catch((error: unknown) => error)
    expect(isUnavailable(failure)).toBe(true)
  })

  it('complete once if the database goes away during the completion, whether or not the first try was committed', async () => {
    const attempts = createAttempts({
      pool: own.tenant,
      policies: policiesOf(own.tenant),
      auditor,
      maxStarts: 5,
    })
    for (let round = 0; round < 5; round += 1) {
      const place = await ready(`d${round}`)
      await attempts.start(place)
      const settling = attempts.complete(processedResult(place, 1))
      setImmediate(() => proxy.reset())
      // Stale is the truth as well: the first try had been committed before its answer was lost.
      expect(['settled', 'stale']).toContain(await settling)
      expect(await documentRow(database(), place)).toMatchObject({ status: 'processed' })
    }
    const processed = (await storyOf(database(), tenant)).filter((event) => event.includes('processed'))
    expect(processed).toHaveLength(5)
  })
})
