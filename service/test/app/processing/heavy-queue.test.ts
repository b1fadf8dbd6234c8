import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createHeavyQueue } from '../../../src/app/processing/heavy-queue.ts'

interface Item {
  readonly tenant: string
  readonly scope: string
  readonly size: number
}

const item = (tenant: string, scope: string, size = 1): Item => ({ tenant, scope, size })

function openQueue(fails: (items: readonly Item[]) => boolean = () => false) {
  const batches: string[] = []
  let inFlight = 0
  let maxInFlight = 0
  const queue = createHeavyQueue<Item, string>({
    async write(items) {
      inFlight += 1
      maxInFlight = Math.max(maxInFlight, inFlight)
      batches.push(items.map(({ tenant, scope }) => `${tenant}${scope}`).join(' '))
      await delay(1)
      inFlight -= 1
      if (fails(items)) throw new Error('refused')
      return items.map(({ size }) => `wrote ${size}`)
    },
    tenantOf: ({ tenant }) => tenant,
    scopeOf: ({ scope }) => scope,
    sizeOf: ({ size }) => size,
    maxSize: 10,
    maxItems: 3,
    retryIndividually: () => true,
  })
  return { queue, batches, maxInFlight: () => maxInFlight }
}

describe('a queue for heavy work', () => {
  it('serves tenants in turns, and the scopes of a tenant in turns', async () => {
    const { queue, batches, maxInFlight } = openQueue()
    const items = [
      ...Array.from({ length: 3 }, () => item('A', '1', 9)),
      item('A', '2', 9),
      item('B', '1', 9),
      item('B', '1', 9),
    ]
    await Promise.all(items.map((each) => queue.write(each)))
    // The first one waits for nobody.
    expect(batches).toEqual(['A1', 'A1', 'B1', 'A2', 'B1', 'A1'])
    expect(maxInFlight()).toBe(1)
  })

  it('writes items of one scope together, up to a size and a number', async () => {
    const { queue, batches } = openQueue()
    const first = queue.write(item('A', '1'))
    const others = [4, 6, 1, 1, 1, 1, 20].map((size) => queue.write(item('A', '1', size)))
    expect(await first).toBe('wrote 1')
    expect(await Promise.all(others)).toEqual([4, 6, 1, 1, 1, 1, 20].map((size) => `wrote ${size}`))
    expect(batches).toEqual(['A1', 'A1 A1', 'A1 A1 A1', 'A1', 'A1'])
  })

  it('writes items one by one after a failed batch, so that a faulty item fails alone', async () => {
    const { queue } = openQueue((items) => items.some(({ size }) => size === 7))
    const blocker = queue.write(item('A', '0'))
    const settled = await Promise.allSettled([1, 7, 2].map((size) => queue.write(item('A', '1', size))))
    await blocker
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('is drained when the last item is written, and accepts work again afterwards', async () => {
    const { queue, batches } = openQueue()
    await queue.drain()
    void queue.write(item('A', '1'))
    void queue.write(item('B', '1'))
    await queue.drain()
    expect(batches).toEqual(['A1', 'B1'])
    expect(await queue.write(item('C', '1', 5))).toBe('wrote 5')
  })
})
