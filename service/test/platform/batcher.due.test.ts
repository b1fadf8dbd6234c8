/** Items that are worth nothing after a time. */
import { describe, expect, it } from 'vitest'
import { createBatcher } from '../../src/platform/batcher.ts'
import { BacklogOverrun } from '../../src/platform/waiting-list.ts'

/** All have one lock key, so that one batch comes after the other; `late` is due soon, the others never. */
function setUp() {
  const written: string[][] = []
  const ends: (() => void)[] = []
  const batcher = createBatcher<string, string>({
    orderKeysOf: () => [],
    lockKeyOf: () => 'one',
    sizeOf: () => 1,
    maxItems: 10,
    maxSize: 10,
    concurrency: 2,
    dueAtOf: (name) => (name === 'late' ? performance.now() + 50 : Infinity),
    retryIndividually: () => false,
    async write(names) {
      written.push([...names])
      await new Promise<void>((resolve) => void ends.push(resolve))
      return names
    },
  })
  const handedOver = async (count: number) => {
    while (written.length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  return { batcher, written, handedOver, end: () => ends.shift()?.() }
}

describe('an item that is due', () => {
  it('is taken off the list, and those that came later are written', async () => {
    const { batcher, written, handedOver, end } = setUp()
    const first = batcher.write('first')
    await handedOver(1)
    await expect(batcher.write('late')).rejects.toBeInstanceOf(BacklogOverrun)
    const next = batcher.write('next')
    end()
    expect(await first).toBe('first')
    await handedOver(2)
    end()
    expect(await next).toBe('next')
    expect(written).toEqual([['first'], ['next']])
  })

  it('lets draining end when it was the last that waited', async () => {
    const { batcher, handedOver, end } = setUp()
    const first = batcher.write('first')
    await handedOver(1)
    const late = batcher.write('late').catch(() => 'given up')
    const drained = batcher.drain()
    expect(await late).toBe('given up')
    end()
    await Promise.all([first, drained])
  })
})
