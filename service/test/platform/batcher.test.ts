import { describe, expect, it } from 'vitest'
import { createBatcher } from '../../src/platform/batcher.ts'
import type { Batcher, BatcherOptions } from '../../src/platform/batcher.ts'

interface Item {
  readonly name: string
  readonly key?: string
  readonly size?: number
  readonly lockKey?: string
}

/** A batch that has been handed over and waits for the test to say how it ends. */
interface Batch {
  readonly names: readonly string[]
  answer(): void
  fail(error: Error): void
}

interface Bench {
  readonly batcher: Batcher<Item, string>
  /** Every batch handed over so far, in order. */
  readonly batches: readonly Batch[]
  /** Resolves once this many have been handed over. */
  handedOver(count: number): Promise<readonly string[][]>
}

/** Nothing is answered by itself: the test decides when, and with what. */
function setUp(options: Partial<BatcherOptions<Item, string>> = {}): Bench {
  const batches: Batch[] = []
  let news = Promise.withResolvers<void>()
  const batcher = createBatcher<Item, string>({
    orderKeysOf: ({ key }) => (key === undefined ? [] : [key]),
    lockKeyOf: ({ name, lockKey }) => lockKey ?? name,
    sizeOf: ({ size }) => size ?? 1,
    maxItems: 100,
    maxSize: 1_000,
    concurrency: 1,
    retryIndividually: () => true,
    write(items) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
      const names = items.map(({ name }) => name)
      batches.push({ names, answer: () => resolve(names.map((name) => `${name}!`)), fail: reject })
      news.resolve()
      news = Promise.withResolvers<void>()
      return promise
    },
    ...options,
  })
  return {
    batcher,
    batches,
    async handedOver(count) {
      while (batches.length < count) await news.promise
      return batches.map(({ names }) => [...names])
    },
  }
}

const named = (...names: string[]): Item[] => names.map((name) => ({ name }))

/** Long enough for a batcher to do whatever it would do by itself. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('a batcher', () => {
  it('writes what arrived together in one batch, and gives each its own answer', async () => {
    const { batcher, batches, handedOver } = setUp()
    const answers = Promise.all(named('a', 'b', 'c').map((item) => batcher.write(item)))
    expect(await handedOver(1)).toEqual([['a', 'b', 'c']])
    batches[0]?.answer()
    expect(await answers).toEqual(['a!', 'b!', 'c!'])
  })

  it('writes a single item at once, without waiting for others', async () => {
    const { batcher, batches, handedOver } = setUp()
    const answer = batcher.write({ name: 'alone' })
    expect(await handedOver(1)).toEqual([['alone']])
    batches[0]?.answer()
    expect(await answer).toBe('alone!')
  })

  it('collects what arrives while a batch is under way into the next one', async () => {
    const { batcher, batches, handedOver } = setUp()
    const first = batcher.write({ name: 'a' })
    await handedOver(1)
    const others = Promise.all(named('b', 'c', 'd').map((item) => batcher.write(item)))
    await settle()
    expect(batches).toHaveLength(1)
    batches[0]?.answer()
    expect(await handedOver(2)).toEqual([['a'], ['b', 'c', 'd']])
    batches[1]?.answer()
    expect(await Promise.all([first, others])).toEqual(['a!', ['b!', 'c!', 'd!']])
  })

  it('has no more batches under way than it may', async () => {
    const { batcher, batches, handedOver } = setUp({ concurrency: 2, maxItems: 1 })
    const answers = Promise.all(named('a', 'b', 'c').map((item) => batcher.write(item)))
    await handedOver(2)
    await settle()
    expect(batches).toHaveLength(2)
    batches[1]?.answer()
    expect(await handedOver(3)).toEqual([['a'], ['b'], ['c']])
    batches[0]?.answer()
    batches[2]?.answer()
    expect(await answers).toEqual(['a!', 'b!', 'c!'])
  })
})

describe('a lock key', () => {
  it('is in one batch at a time; what comes meanwhile travels together in the next', async () => {
    const { batcher, batches, handedOver } = setUp({ concurrency: 3 })
    const write = (name: string, lockKey: string) => batcher.write({ name, lockKey })
    const answers = [write('a', 'here')]
    await handedOver(1)
    answers.push(write('b', 'here'), write('c', 'there'), write('d', 'here'))
    expect(await handedOver(2)).toEqual([['a'], ['c']])
    await settle()
    expect(batches).toHaveLength(2)
    batches[0]?.answer()
    expect(await handedOver(3)).toEqual([['a'], ['c'], ['b', 'd']])
    for (const batch of batches) batch.answer()
    expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!'])
  })
})

describe('a bulk key', () => {
  const bench = (concurrency: number, options: Partial<BatcherOptions<Item, string>> = {}) =>
    setUp({ concurrency, bulkThreshold: () => 3, ...options })
  const bulk = (lockKey: string, count = 3): Item[] =>
    Array.from({ length: count }, (_, at) => ({ name: `${lockKey}${at}`, lockKey }))

  it('goes without the others, who go first', async () => {
    const { batcher, batches, handedOver } = bench(3)
    const all = [...bulk('x'), { name: 'a' }, ...bulk('y'), { name: 'b' }]
    const answers = Promise.all(all.map((item) => batcher.write(item)))
    expect(await handedOver(2)).toEqual([
      ['a', 'b'],
      ['x0', 'x1', 'x2', 'y0', 'y1', 'y2'],
    ])
    for (const batch of batches) batch.answer()
    expect(await answers).toHaveLength(8)
  })

  it('leaves a batch free for those who come with little', async () => {
    const { batcher, batches, handedOver } = bench(3)
    const answers = bulk('x').map((item) => batcher.write(item))
    await handedOver(1)
    answers.push(...bulk('y').map((item) => batcher.write(item)))
    await handedOver(2)
    answers.push(...bulk('z').map((item) => batcher.write(item)))
    await settle()
    expect(batches).toHaveLength(2)
    answers.push(batcher.write({ name: 'a' }))
    expect((await handedOver(3)).at(-1)).toEqual(['a'])
    batches[0]?.answer()
    expect((await handedOver(4)).at(-1)).toEqual(['z0', 'z1', 'z2'])
    for (const batch of batches) batch.answer()
    await Promise.all(answers)
  })

  it('is one batch at a time where no more are allowed, and leaves all others to the rest', async () => {
    const { batcher, batches, handedOver } = bench(3, { bulkConcurrency: 1 })
    const answers = bulk('x').map((item) => batcher.write(item))
    await handedOver(1)
    answers.push(...bulk('y').map((item) => batcher.write(item)))
    answers.push(batcher.write({ name: 'a' }))
    await handedOver(2)
    answers.push(batcher.write({ name: 'b' }))
    await handedOver(3)
    batches[0]?.answer()
    expect((await handedOver(4)).slice(1)).toEqual([['a'], ['b'], ['y0', 'y1', 'y2']])
    for (const batch of batches) batch.answer()
    await Promise.all(answers)
  })

  it('goes no sooner after another than it may, and the others do', async () => {
    const { batcher, batches, handedOver } = bench(3, { bulkIntervalMs: 60 })
    const answers = bulk('x').map((item) => batcher.write(item))
    await handedOver(1)
    const since = performance.now()
    batches[0]?.answer()
    answers.push(...[...bulk('y'), { name: 'a' }].map((item) => batcher.write(item)))
    expect((await handedOver(2)).at(-1)).toEqual(['a'])
    expect((await handedOver(3)).at(-1)).toEqual(['y0', 'y1', 'y2'])
    expect(performance.now() - since).toBeGreaterThan(40)
    for (const batch of batches) batch.answer()
    await Promise.all(answers)
  })

  it('is one where a single item says so', async () => {
    const bulkThreshold = ({ name }: Item) => (name === 'x' ? 1 : Infinity)
    const { batcher, batches, handedOver } = setUp({ concurrency: 2, bulkThreshold })
    const answers = named('x', 'a').map((item) => batcher.write({ ...item, lockKey: item.name }))
    expect(await handedOver(2)).toEqual([['a'], ['x']])
    for (const batch of batches) batch.answer()
    await Promise.all(answers)
  })

  it('waits for no more than one batch of the others', async () => {
    const { batcher, batches, handedOver } = bench(2)
    const answers = [batcher.write({ name: 'a' })]
    await handedOver(1)
    answers.push(...[{ name: 'b' }, ...bulk('x'), { name: 'c' }].map((item) => batcher.write(item)))
    expect((await handedOver(2)).at(-1)).toEqual(['x0', 'x1', 'x2'])
    batches[0]?.answer()
    expect((await handedOver(3)).at(-1)).toEqual(['b', 'c'])
    for (const batch of batches) batch.answer()
    await Promise.all(answers)
  })

  it('is written also where only one batch may be under way', async () => {
    const { batcher, batches, handedOver } = bench(1)
    const answers = [...bulk('x'), { name: 'a' }].map((item) => batcher.write(item))
    await handedOver(1)
    batches[0]?.answer()
    expect(await handedOver(2)).toEqual([['a'], ['x0', 'x1', 'x2']])
    batches[1]?.answer()
    await Promise.all(answers)
  })
})

describe('a batch', () => {
  it('holds no more items than it may; the rest follows in order', async () => {
    const { batcher, batches, handedOver } = setUp({ maxItems: 2 })
    const answers = Promise.all(named('a', 'b', 'c', 'd', 'e').map((item) => batcher.write(item)))
    for (let index = 0; index < 3; index += 1) {
      await handedOver(index + 1)
      batches[index]?.answer()
    }
    await answers
    expect(batches.map(({ names }) => names)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  })

  it('is no larger than it may be, unless a single item is', async () => {
    const { batcher, batches, handedOver } = setUp({ maxSize: 10 })
    const items = [
      { name: 'a', size: 6 },
      { name: 'b', size: 4 },
      { name: 'c', size: 1 },
      { name: 'huge', size: 50 },
      { name: 'd', size: 2 },
    ]
    const answers = Promise.all(items.map((item) => batcher.write(item)))
    for (let index = 0; index < 3; index += 1) {
      await handedOver(index + 1)
      batches[index]?.answer()
    }
    expect(await answers).toEqual(['a!', 'b!', 'c!', 'huge!', 'd!'])
    expect(batches[0]?.names).toEqual(['a', 'b'])
    expect(batches.find(({ names }) => names.includes('huge'))?.names).toEqual(['huge'])
  })

  it('that is answered in part counts as not written', async () => {
    const calls: string[][] = []
    const { batcher } = setUp({
      write: async (items) => {
        calls.push(items.map(({ name }) => name))
        return items.length === 1 ? [`${items[0]?.name}!`] : ['only one']
      },
    })
    expect(await Promise.all(named('a', 'b').map((item) => batcher.write(item)))).toEqual(['a!', 'b!'])
    expect(calls).toEqual([['a', 'b'], ['a'], ['b']])
  })
})

describe('items that share a key', () => {
  it('never go into one batch, and keep their order', async () => {
    const { batcher, batches, handedOver } = setUp()
    const items = [
      { name: 'a1', key: 'a' },
      { name: 'b1', key: 'b' },
      { name: 'a2', key: 'a' },
      { name: 'a3', key: 'a' },
      { name: 'c1', key: 'c' },
    ]
    const answers = Promise.all(items.map((item) => batcher.write(item)))
    for (let index = 0; index < 3; index += 1) {
      await handedOver(index + 1)
      batches[index]?.answer()
    }
    await answers
    expect(batches.map(({ names }) => names)).toEqual([['a1', 'b1', 'c1'], ['a2'], ['a3']])
  })

  it('keep their order when one of them did not fit', async () => {
    const { batcher, batches, handedOver } = setUp({ maxSize: 10 })
    const items = [
      { name: 'a', size: 8 },
      { name: 'k1', size: 5, key: 'k' },
      { name: 'k2', size: 1, key: 'k' },
    ]
    const answers = Promise.all(items.map((item) => batcher.write(item)))
    for (let index = 0; index < 3; index += 1) {
      await handedOver(index + 1)
      batches[index]?.answer()
    }
    await answers
    expect(batches.map(({ names }) => names)).toEqual([['a'], ['k1'], ['k2']])
  })

  it('keep their order although several batches may be under way', async () => {
    const { batcher, batches, handedOver } = setUp({ concurrency: 2 })
    const [first, second] = [batcher.write({ name: 'k1', key: 'k' }), batcher.write({ name: 'k2', key: 'k' })]
    await handedOver(1)
    await settle()
    // The second could overtake the first, whichever of the two the database happens to serve sooner.
    expect(batches.map(({ names }) => names)).toEqual([['k1']])
    batches[0]?.answer()
    await first
    await handedOver(2)
    batches[1]?.answer()
    expect(await second).toBe('k2!')
  })

  it('do not hold back the ones that share none', async () => {
    const { batcher, batches, handedOver } = setUp({ concurrency: 2 })
    const one = batcher.write({ name: 'k1', key: 'k' })
    await handedOver(1)
    const other = batcher.write({ name: 'other', key: 'o' })
    await handedOver(2)
    batches[1]?.answer()
    expect(await other).toBe('other!')
    batches[0]?.answer()
    expect(await one).toBe('k1!')
  })
})

describe('a failure', () => {
  const bad = new Error('this one cannot be written')

  it('of one item does not fail its neighbours', async () => {
    const { batcher } = setUp({
      async write(items) {
        if (items.some(({ name }) => name === 'bad')) throw bad
        return items.map(({ name }) => `${name}!`)
      },
    })
    const outcomes = await Promise.allSettled(named('a', 'bad', 'b').map((item) => batcher.write(item)))
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 'a!' },
      { status: 'rejected', reason: bad },
      { status: 'fulfilled', value: 'b!' },
    ])
  })

  it('that is nobody’s fault fails all at once, and is not tried again one by one', async () => {
    const { batcher, batches, handedOver } = setUp({ retryIndividually: () => false })
    const outcomes = Promise.allSettled(named('a', 'b', 'c').map((item) => batcher.write(item)))
    await handedOver(1)
    batches[0]?.fail(bad)
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected'])
    await settle()
    expect(batches).toHaveLength(1)
  })

  it('of one batch does not stop those that come after it', async () => {
    const { batcher, batches, handedOver } = setUp({ retryIndividually: () => false })
    const lost = batcher.write({ name: 'a' }).catch((error: unknown) => error)
    await handedOver(1)
    const next = batcher.write({ name: 'b' })
    batches[0]?.fail(bad)
    expect(await lost).toBe(bad)
    await handedOver(2)
    batches[1]?.answer()
    expect(await next).toBe('b!')
  })
})

describe('draining', () => {
  it('of an idle batcher is done at once', async () => {
    await expect(setUp().batcher.drain()).resolves.toBeUndefined()
  })

  it('waits for what is under way and for what waits behind it, failures included', async () => {
    const { batcher, batches, handedOver } = setUp({ maxItems: 1, retryIndividually: () => false })
    const answers = Promise.allSettled(named('a', 'b').map((item) => batcher.write(item)))
    let drained = false
    const draining = batcher.drain().then(() => (drained = true))
    await handedOver(1)
    batches[0]?.fail(new Error('no'))
    await handedOver(2)
    await settle()
    expect(drained).toBe(false)
    batches[1]?.answer()
    await answers
    await draining
    expect(drained).toBe(true)
  })

  it('can be asked for by several, and again later', async () => {
    const { batcher, batches, handedOver } = setUp()
    const answer = batcher.write({ name: 'a' })
    const both = Promise.all([batcher.drain(), batcher.drain()])
    await handedOver(1)
    batches[0]?.answer()
    await Promise.all([answer, both])
    await expect(batcher.drain()).resolves.toBeUndefined()
  })
})
