import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import type { AttemptEnd } from '../../src/domain/attempt-end.ts'
import type { Delivery } from '../../src/worker/delivery.ts'
import { createDatabaseBreaker } from '../../src/worker/database-breaker.ts'
import { createWorker } from '../../src/worker/worker.ts'
import type { Progress, Worker, WorkerDeps } from '../../src/worker/worker.ts'
import { createMemoryLog } from '../support/log.ts'
import { messageFor } from '../support/queue.ts'

const running: Worker[] = []

afterEach(async () => {
  for (const worker of running.splice(0)) await worker.stop()
})

interface Stage {
  readonly worker: Worker
  readonly log: ReturnType<typeof createMemoryLog>
  /** Attempts under way, each to be ended by the test. */
  readonly attempts: ({ readonly delivery: Delivery; end(end: AttemptEnd): void } & Progress)[]
  /** How much each pull asked for. */
  readonly pulls: number[]
  /** Deliveries whose lease was renewed, as often as it was. */
  readonly renewed: string[]
  /** Adds deliveries for the next pulls. */
  offer(...names: string[]): void
  offerPriority(...names: string[]): void
  underWay(count: number): Promise<void>
}

async function setUp(parts: Partial<WorkerDeps> = {}): Promise<Stage> {
  const log = createMemoryLog()
  const waiting: Delivery[] = []
  const priority: Delivery[] = []
  const deliver = (name: string): Delivery => ({
    message: messageFor(name),
    ack: () => undefined,
    working: () => void stage.renewed.push(name),
    retryIn: () => undefined,
  })
  const stage: Omit<Stage, 'worker'> = {
    log,
    attempts: [],
    pulls: [],
    renewed: [],
    offer: (...names) => void waiting.push(...names.map((name) => deliver(name))),
    offerPriority: (...names) =>
      void priority.push(
        ...names.map((name): Delivery => ({
          ...deliver(name),
          message: { ...messageFor(name), priority: true },
        })),
      ),
    underWay: async (count) =>
      void (await waitUntil(() => stage.attempts.length >= count, { what: `${count} attempts`, everyMs: 5 })),
  }
  const worker = createWorker({
    async receive(queue, max, _, handle) {
      if (queue === 'standard') stage.pulls.push(max)
      const found = (queue === 'standard' ? waiting : priority).splice(0, max)
      for (const delivery of found) handle(delivery)
      // A pull that finds nothing takes a while, as the broker's does.
      if (found.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      return found.length
    },
    attempt(delivery, progress) {
      const { promise, resolve } = Promise.withResolvers<AttemptEnd>()
      stage.attempts.push({ delivery, end: resolve, ...progress })
      return promise
    },
    capacity: 4,
    maxParked: 2,
    maxParkedBytes: Infinity,
    renewEveryMs: 10,
    log: log.log,
    ...parts,
  })
  running.push(worker)
  await worker.start()
  return { ...stage, worker }
}

const names = (stage: Stage) => stage.attempts.map(({ delivery }) => delivery.message.documentId)

/** Ends what is under way, now and later, so that the worker can be stopped. */
async function finish(stage: Stage): Promise<void> {
  const stopping = stage.worker.stop()
  await waitUntil(
    () => {
      for (const { end } of stage.attempts) end('processed')
      return stage.worker.inFlight() === 0
    },
    { what: 'everything having ended', everyMs: 5 },
  )
  await stopping
}

describe('a database breaker', () => {
  it('keeps the worker from pulling until the database answers', async () => {
    let isAway = true
    const breaker = createDatabaseBreaker(async () => {
      if (isAway) throw new Error('away')
    }, 5)
    breaker.trip()
    const stage = await setUp({ breaker })
    stage.offer('waits')
    await delay(50)
    expect(stage.pulls).toEqual([])
    isAway = false
    await stage.underWay(1)
    expect(names(stage)).toEqual(['waits'])
    stage.attempts[0]?.end('processed')
  })
})

describe('a worker', () => {
  it('runs deliveries concurrently, up to its capacity', async () => {
    const stage = await setUp()
    stage.offer('a', 'b', 'c', 'd', 'e', 'f')
    await stage.underWay(4)
    expect(names(stage)).toEqual(['a', 'b', 'c', 'd'])
    expect(stage.worker.inFlight()).toBe(4)
    expect(Math.max(...stage.pulls)).toBe(4)
    await finish(stage)
  })

  it('pulls again once a quarter of its capacity is free, and only as much as is free', async () => {
    const stage = await setUp({ capacity: 8 })
    stage.offer('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j')
    await stage.underWay(8)
    stage.pulls.length = 0
    stage.attempts[0]?.end('processed')
    await waitUntil(() => stage.worker.inFlight() === 7, { what: 'one having ended', everyMs: 5 })
    expect(stage.pulls).toEqual([])
    stage.attempts[1]?.end('processed')
    await stage.underWay(10)
    expect(stage.pulls[0]).toBe(2)
    await finish(stage)
  })

  it('takes a few documents of the priority queue without free capacity, and else as many as its capacity allows', async () => {
    const stage = await setUp({ capacity: 4 })
    stage.offer('a', 'b', 'c', 'd')
    await stage.underWay(4)
    stage.offerPriority(...Array.from({ length: 12 }, (_, at) => `x${at}`))
    await stage.underWay(12)
    expect(stage.worker.inFlight()).toBe(12)
    stage.attempts.at(-1)?.end('processed')
    await stage.underWay(13)
    // An attempt that will take long leaves its place to another.
    stage.attempts.at(-1)?.park()
    await stage.underWay(14)
    expect(names(stage).slice(4)).toEqual(Array.from({ length: 10 }, (_, at) => `x${at}`))
    await finish(stage)
  })

  it('takes another priority document for each one that waits to be compared, without free capacity', async () => {
    const stage = await setUp({ capacity: 8 })
    stage.offer('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    await stage.underWay(8)
    stage.offerPriority(...Array.from({ length: 12 }, (_, at) => `x${at}`))
    await stage.underWay(16)
    for (const attempt of stage.attempts.slice(8, 10)) attempt.yieldPriority()
    await stage.underWay(18)
    // Twice the capacity is in flight, so the next one keeps its place.
    stage.attempts[10]?.yieldPriority()
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(stage.worker.inFlight()).toBe(18)
    stage.offer('i')
    stage.pulls.length = 0
    await new Promise((resolve) => setTimeout(resolve, 30))
    // It is still worked on, so nothing is pulled from the standard queue.
    expect(stage.pulls).toEqual([])
    await finish(stage)
  })

  it('never requests less than one, even if both queues were filled at once', async () => {
    const asked: number[] = []
    const filled = { standard: false, priority: false }
    const stage = await setUp({
      capacity: 12,
      // Both are open when the deliveries come: as many of each as there was room for.
      async receive(queue, max, _, handle) {
        asked.push(max)
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (filled[queue]) return 0
        filled[queue] = true
        for (let at = 0; at < max; at += 1)
          handle({
            message: { ...messageFor(`${queue}${at}`), priority: queue === 'priority' },
            ack() {},
            working() {},
            retryIn() {},
          })
        return max
      },
    })
    await stage.underWay(24)
    for (const { end } of stage.attempts.slice(0, 2)) end('processed')
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(asked).toEqual([12, 12])
    await finish(stage)
    expect(Math.min(...asked)).toBeGreaterThan(0)
  })

  it('reports the oldest delivery in flight, and how long its capacity was used', async () => {
    const stage = await setUp()
    expect(stage.worker.oldest()).toBeUndefined()
    stage.offer('a', 'b')
    await stage.underWay(2)
    stage.attempts[0]?.started(3, 9)
    expect(stage.worker.oldest()).toMatchObject({ message: { documentId: 'a' }, attempt: 3 })
    const before = stage.worker.busyMs()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const grown = stage.worker.busyMs() - before
    // Two places, each for 50 ms.
    expect(grown).toBeGreaterThanOrEqual(98)
    stage.attempts[0]?.end('processed')
    stage.attempts[1]?.end('processed')
    await waitUntil(() => stage.worker.inFlight() === 0, { what: 'both having ended', everyMs: 5 })
    const atRest = stage.worker.busyMs()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(stage.worker.busyMs()).toBe(atRest)
    await finish(stage)
  })

  it('pulls more while attempts are parked, up to a bound, and keeps their leases', async () => {
    const stage = await setUp()
    stage.offer('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i')
    await stage.underWay(4)
    for (const { park } of stage.attempts) park()
    // Two of the four take no room.
    await stage.underWay(6)
    expect(stage.worker.inFlight()).toBe(6)
    stage.renewed.length = 0
    await waitUntil(() => new Set(stage.renewed).size === 6, { what: 'all leases being renewed' })
    expect(names(stage)).toHaveLength(6)
    // One that ends was aside beyond the bound; only now is there room for as many as before.
    for (const { end } of stage.attempts.slice(0, 4)) end('failed')
    await stage.underWay(8)
    await waitUntil(() => stage.worker.inFlight() === 4, { what: 'the others having ended', everyMs: 5 })
    await finish(stage)
  })

  it('counts how attempts ended', async () => {
    const stage = await setUp({ capacity: 12 })
    const ends = ['processed', 'processed', 'failed', 'retried', 'stale', 'exhausted', 'abandoned'] as const
    stage.offer(...ends)
    await stage.underWay(ends.length)
    for (const [index, end] of ends.entries()) stage.attempts[index]?.end(end)
    await waitUntil(() => stage.worker.inFlight() === 0, { what: 'all having ended', everyMs: 5 })
    expect(stage.worker.counts).toEqual({
      processed: 2,
      failed: 1,
      retried: 1,
      stale: 1,
      held: 0,
      exhausted: 1,
      paused: 0,
      deferred: 0,
      abandoned: 1,
    })
  })

  it('renews the leases of deliveries in flight, and no others', async () => {
    const stage = await setUp()
    stage.offer('short', 'long')
    await stage.underWay(2)
    await waitUntil(() => stage.renewed.filter((name) => name === 'long').length >= 2, { what: 'renewals' })
    stage.attempts[0]?.end('processed')
    await waitUntil(() => stage.worker.inFlight() === 1, { what: 'the short one having ended', everyMs: 5 })
    stage.renewed.length = 0
    await waitUntil(() => stage.renewed.length >= 3, { what: 'more renewals' })
    expect(new Set(stage.renewed)).toEqual(new Set(['long']))
    await finish(stage)
  })

  it('logs a failed pull and retries', async () => {
    let failures = 2
    const taken: string[] = []
    const stage = await setUp({
      async receive(queue, _, __, handle) {
        if (queue === 'priority') return new Promise((resolve) => setTimeout(() => resolve(0), 5))
        failures -= 1
        if (failures >= 0) throw new Error('the broker is not connected')
        if (taken.length > 0) return new Promise((resolve) => setTimeout(() => resolve(0), 5))
        const delivery = { message: messageFor('late'), ack() {}, working() {}, retryIn() {} }
        handle(delivery)
        return 1
      },
      async attempt(delivery) {
        taken.push(delivery.message.documentId)
        return 'processed'
      },
    })
    await waitUntil(() => taken.length > 0, { what: 'the delivery' })
    expect(taken).toEqual(['late'])
    expect(stage.log.lines().filter(({ msg }) => String(msg).includes('pulling work failed'))).toHaveLength(2)
  })
})

describe('stopping', () => {
  it('finishes deliveries in flight, renews their leases, and pulls nothing new', async () => {
    const stage = await setUp()
    stage.offer('in hand')
    await stage.underWay(1)
    let stopped = false
    const stopping = stage.worker.stop().then(() => (stopped = true))
    const pulls = stage.pulls.length
    stage.offer('too late')
    stage.renewed.length = 0
    await waitUntil(() => stage.renewed.length >= 3, { what: 'renewals while stopping' })
    expect(stopped).toBe(false)
    stage.attempts[0]?.end('processed')
    await stopping
    expect(names(stage)).toEqual(['in hand'])
    // At most the one pull that was under way.
    expect(stage.pulls.length).toBeLessThanOrEqual(pulls + 1)
    expect(stage.worker.counts.processed).toBe(1)
  })

  it('does not wait for the end of an outage', async () => {
    const breaker = createDatabaseBreaker(() => Promise.reject(new Error('away')), 5)
    breaker.trip()
    const stage = await setUp({ breaker })
    await expect(stage.worker.stop()).resolves.toBeUndefined()
    expect(stage.pulls).toEqual([])
  })

  it('returns at once for an idle worker or before the start, and may be repeated', async () => {
    const stage = await setUp()
    await Promise.all([stage.worker.stop(), stage.worker.stop()])
    const idle = createWorker({
      receive: async () => 0,
      attempt: async () => 'processed',
      capacity: 1,
      maxParked: 1,
      maxParkedBytes: Infinity,
      renewEveryMs: 10,
      log: stage.log.log,
    })
    await expect(idle.stop()).resolves.toBeUndefined()
  })
})
