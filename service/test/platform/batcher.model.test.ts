/** Random arrivals, batches and failures against the one thing a batcher promises to everyone. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBatcher } from '../../src/platform/batcher.ts'

interface Item {
  readonly id: number
  readonly keys: readonly string[]
  readonly lockKey: string
  readonly size: number
  /** Cannot be written, alone or in company. */
  readonly bad: boolean
  /** Turns of the event loop between this arrival and the one before. */
  readonly pause: number
}

const items = fc
  .array(
    fc.record({
      keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 2 }),
      lockKey: fc.constantFrom('here', 'there', 'elsewhere'),
      size: fc.integer({ min: 0, max: 12 }),
      bad: fc.integer({ min: 0, max: 4 }).map((chance) => chance === 0),
      pause: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((list) => list.map((item, id): Item => ({ id, ...item })))

const bounds = fc.record({
  maxItems: fc.integer({ min: 1, max: 8 }),
  maxSize: fc.integer({ min: 1, max: 30 }),
  concurrency: fc.integer({ min: 1, max: 3 }),
  bulkThreshold: fc.constantFrom(1, 2, 4, Infinity).map((count) => () => count),
  bulkConcurrency: fc.constantFrom(1, 2),
  bulkIntervalMs: fc.constantFrom(0, 1),
})

/** How many turns each batch takes, and whether the store is away for it. */
const weather = fc.array(
  fc.record({
    turns: fc.integer({ min: 0, max: 3 }),
    away: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  }),
  { minLength: 1, maxLength: 20 },
)

class Away extends Error {}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

type Bounds = typeof bounds extends fc.Arbitrary<infer Value> ? Value : never
type Weather = typeof weather extends fc.Arbitrary<infer Value> ? Value : never

interface Run {
  /** The batches in the order in which they were handed over. */
  readonly written: readonly Item[][]
  readonly outcomes: readonly PromiseSettledResult<string>[]
}

async function run(arrivals: readonly Item[], limits: Bounds, days: Weather): Promise<Run> {
  const written: Item[][] = []
  const underWay = new Set<string>()
  const batcher = createBatcher<Item, string>({
    ...limits,
    orderKeysOf: ({ keys }) => keys,
    lockKeyOf: ({ lockKey }) => lockKey,
    sizeOf: ({ size }) => size,
    retryIndividually: (error) => !(error instanceof Away),
    async write(batch) {
      const day = days[written.length % days.length]
      written.push([...batch])
      const lockKeys = new Set(batch.map(({ lockKey }) => lockKey))
      // Items that were split off travel beside each other; they belong to one batch.
      if (batch.length > 1) expect([...lockKeys].filter((lockKey) => underWay.has(lockKey))).toEqual([])
      for (const lockKey of lockKeys) underWay.add(lockKey)
      await turns(day?.turns ?? 0)
      for (const lockKey of lockKeys) underWay.delete(lockKey)
      if (day?.away) throw new Away('away')
      const culprit = batch.find(({ bad }) => bad)
      if (culprit) throw new Error(`bad ${culprit.id}`)
      return batch.map(({ id }) => `answer ${id}`)
    },
  })
  const answers: Promise<string>[] = []
  let answered = 0
  const count = () => void (answered += 1)
  for (const item of arrivals) {
    await turns(item.pause)
    const answer = batcher.write(item)
    answer.then(count, count)
    answers.push(answer)
  }
  await batcher.drain()
  await turns(1)
  // Drained means answered: nobody has to wait any more.
  expect(answered).toBe(arrivals.length)
  return { written, outcomes: await Promise.allSettled(answers) }
}

describe('whatever arrives, and however writing goes', () => {
  it('every item is answered exactly once with its own answer or its own failure', async () => {
    await fc.assert(
      fc.asyncProperty(items, bounds, weather, async (arrivals, limits, days) => {
        const { outcomes } = await run(arrivals, limits, days)
        const said = outcomes.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))
        const own = arrivals.map(({ id, bad }) => (bad ? `Error: bad ${id}` : `answer ${id}`))
        expect(said.map((each, index) => (each === 'Error: away' ? own[index] : each))).toEqual(own)
      }),
      { numRuns: 150 },
    )
  })

  it('no batch is too large, and no two items in one share a key', async () => {
    await fc.assert(
      fc.asyncProperty(items, bounds, weather, async (arrivals, limits, days) => {
        const { written } = await run(arrivals, limits, days)
        for (const batch of written) {
          const keys = batch.flatMap((item) => item.keys)
          const size = batch.reduce((sum, item) => sum + item.size, 0)
          expect(new Set(keys).size).toBe(keys.length)
          expect(batch.length).toBeLessThanOrEqual(limits.maxItems)
          expect(batch.length === 1 || size <= limits.maxSize).toBe(true)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('items that share a key are first written in the order in which they came', async () => {
    await fc.assert(
      fc.asyncProperty(items, bounds, weather, async (arrivals, limits, days) => {
        const { written } = await run(arrivals, limits, days)
        const order = [...new Set(written.flat().map(({ id }) => id))]
        for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
          const ids = order.filter((id) => arrivals[id]?.keys.includes(key))
          expect(ids).toEqual(ids.toSorted((one, other) => one - other))
        }
      }),
      { numRuns: 100 },
    )
  })

  it('an item that can be written is written once, unless the store was away or it had to be split off', async () => {
    await fc.assert(
      fc.asyncProperty(items, bounds, async (arrivals, limits) => {
        const { written } = await run(arrivals, limits, [{ turns: 1, away: false }])
        const good = written.filter((batch) => batch.every(({ bad }) => !bad)).flat()
        const ids = arrivals.filter(({ bad }) => !bad).map(({ id }) => id)
        expect(good.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual(ids)
      }),
      { numRuns: 100 },
    )
  })
})
