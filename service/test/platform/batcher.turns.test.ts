/** Very many items of one tenant, and what they may cost the others. */
import { describe, expect, it } from 'vitest'
import { createBatcher } from '../../src/platform/batcher.ts'
import type { BatcherOptions } from '../../src/platform/batcher.ts'
import { BacklogOverrun } from '../../src/platform/waiting-list.ts'

interface Item {
  readonly name: number
  readonly tenant: string
  readonly place: string
}

const MAX_ITEMS = 256

/** Batches end when the test says so. `calls` counts how often the batcher asked an item for something. */
function setUp(options: Partial<BatcherOptions<Item, number>> = {}) {
  const written: (readonly Item[])[] = []
  const ends: (() => void)[] = []
  const calls = { orderKeysOf: 0, lockKeyOf: 0 }
  const batcher = createBatcher<Item, number>({
    orderKeysOf({ name, tenant }) {
      calls.orderKeysOf += 1
      return [`key ${tenant} ${name}`]
    },
    lockKeyOf({ place }) {
      calls.lockKeyOf += 1
      return place
    },
    ownerOf: ({ tenant }) => tenant,
    sizeOf: () => 1,
    maxItems: MAX_ITEMS,
    maxSize: 1_000_000,
    concurrency: 3,
    bulkThreshold: () => 16,
    retryIndividually: () => false,
    async write(items) {
      written.push(items)
      await new Promise<void>((resolve) => void ends.push(resolve))
      return items.map(({ name }) => name)
    },
    ...options,
  })
  const handedOver = async (count: number) => {
    while (written.length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  /** Ends the oldest batch and waits for the next one. */
  const step = async () => {
    const next = written.length + 1
    ends.shift()?.()
    await handedOver(next)
  }
  return { batcher, written, calls, handedOver, step, endAll: () => ends.splice(0).forEach((end) => end()) }
}

const items = (tenant: string, count: number, places = 10): Item[] =>
  Array.from({ length: count }, (_, name) => ({ name, tenant, place: `${tenant} ${name % places}` }))

describe('100,000 waiting items of one tenant', () => {
  it('cost a batch no more than its own size, and the item of another tenant is in the next batch but one', async () => {
    const { batcher, written, calls, handedOver, step } = setUp()
    for (const item of items('much', 100_000)) void batcher.write(item)
    await handedOver(1)
    for (let batch = 0; batch < 5; batch += 1) await step()
    Object.assign(calls, { orderKeysOf: 0, lockKeyOf: 0 })
    const before = written.length
    for (let batch = 0; batch < 5; batch += 1) await step()
    expect(calls.orderKeysOf).toBeLessThanOrEqual(5 * 4 * MAX_ITEMS)
    expect(calls.lockKeyOf).toBeLessThanOrEqual(5 * 4 * MAX_ITEMS)
    expect(written.slice(before).map((batch) => batch.length)).toEqual(Array(5).fill(MAX_ITEMS))
    const others = items('little', 20, 1)
    const at = written.length
    for (const item of others) void batcher.write(item)
    await step()
    await step()
    expect(
      written
        .slice(at, at + 2)
        .flat()
        .filter(({ tenant }) => tenant === 'little'),
    ).toEqual(others)
  })
})

describe('lock keys', () => {
  it('take turns by tenant, and each tenant has its share of a batch', async () => {
    const { batcher, written, handedOver, step } = setUp({ concurrency: 1, bulkThreshold: () => Infinity })
    void batcher.write({ name: 0, tenant: 'first', place: 'first' })
    await handedOver(1)
    for (const item of [...items('a', 1_000, 100), ...items('b', 1_000, 2), ...items('c', 5, 1)])
      void batcher.write(item)
    await step()
    const counts = Object.groupBy(written[1] ?? [], ({ tenant }) => tenant)
    expect(written[1]).toHaveLength(MAX_ITEMS)
    expect(counts['c']).toHaveLength(5)
    expect(counts['b']?.length).toBeGreaterThan(MAX_ITEMS / 3)
    expect(counts['a']?.length).toBeGreaterThan(MAX_ITEMS / 3)
  })
})

describe('a tenant', () => {
  it('has no more items waiting than it may, and delays no other one', async () => {
    const { batcher, handedOver, endAll } = setUp({ concurrency: 1, maxWaitingPerOwner: 10 })
    const inFlight = batcher.write({ name: 0, tenant: 'a', place: 'a' })
    await handedOver(1)
    const answers = items('a', 11).map((item) => batcher.write(item))
    const other = batcher.write({ name: 7, tenant: 'b', place: 'b' })
    await expect(answers.pop()).rejects.toBeInstanceOf(BacklogOverrun)
    endAll()
    await inFlight
    await handedOver(2)
    endAll()
    expect(await Promise.all([...answers, other])).toHaveLength(11)
  })
})
