import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FairQueue, FairQueueTimeout } from '../../src/platform/fair-queue.ts'
import type { ReleaseSlot } from '../../src/platform/fair-queue.ts'

const WAIT_MS = 1_000

/** Records who was served, in order, and gives slots back by name. */
function watch(slots: number) {
  const queue = new FairQueue({ slots, waitMs: WAIT_MS })
  const served: string[] = []
  const refused: string[] = []
  const releases = new Map<string, ReleaseSlot>()

  async function hold(owner: string, name: string, key: string | undefined): Promise<void> {
    try {
      releases.set(name, await queue.acquire(owner, key))
      served.push(name)
    } catch (error) {
      expect(error).toBeInstanceOf(FairQueueTimeout)
      refused.push(name)
    }
  }

  return {
    served,
    refused,
    async ask(owner: string, name: string, key?: string): Promise<void> {
      void hold(owner, name, key)
      await settle()
    },
    async release(name: string): Promise<void> {
      releases.get(name)?.()
      await settle()
    },
  }
}

/** Lets promises that are resolved already run. */
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a fair queue', () => {
  it('leaves a third of the slots to others, however much one owner asks for', async () => {
    const { ask, served } = watch(9)
    for (let turn = 1; turn <= 20; turn += 1) await ask('loud', `loud ${turn}`)
    expect(served).toHaveLength(6)
    await ask('quiet', 'quiet 1')
    expect(served.at(-1)).toBe('quiet 1')
  })

  it('gives an owner above its share nothing while another waits, and takes turns', async () => {
    const { ask, release, served } = watch(3)
    for (const turn of [1, 2, 3, 4]) await ask('loud', `loud ${turn}`)
    for (const turn of [1, 2]) await ask('a', `a ${turn}`)
    await ask('b', 'b 1')
    expect(served).toEqual(['loud 1', 'loud 2', 'a 1'])
    await release('loud 1')
    await release('a 1')
    await release('loud 2')
    expect(served).toEqual(['loud 1', 'loud 2', 'a 1', 'b 1', 'a 2', 'loud 3'])
  })

  it('lets one caller of an exclusive key hold or wait for a slot, in the order of arrival', async () => {
    const { ask, release, served } = watch(9)
    for (const turn of [1, 2, 3]) await ask('loud', `first ${turn}`, 'one scope')
    await ask('loud', 'second', 'another scope')
    expect(served).toEqual(['first 1', 'second'])
    await release('first 1')
    await release('first 2')
    expect(served).toEqual(['first 1', 'second', 'first 2', 'first 3'])
    await release('first 3')
    await ask('loud', 'first 4', 'one scope')
    expect(served.at(-1)).toBe('first 4')
  })

  it('refuses a caller that waited too long, and passes its key on', async () => {
    const { ask, release, served, refused } = watch(1)
    await ask('loud', 'holds the slot')
    await ask('loud', 'holds the key', 'scope')
    await vi.advanceTimersByTimeAsync(WAIT_MS / 2)
    await ask('loud', 'wants the key', 'scope')
    await vi.advanceTimersByTimeAsync(WAIT_MS / 2)
    expect(refused).toEqual(['holds the key'])
    await release('holds the slot')
    expect(served).toEqual(['holds the slot', 'wants the key'])
  })

  it('forgets a caller that gave up while it waited for a key', async () => {
    const { ask, release, served, refused } = watch(3)
    await ask('loud', 'first', 'scope')
    await ask('loud', 'second', 'scope')
    await vi.advanceTimersByTimeAsync(WAIT_MS)
    expect(refused).toEqual(['second'])
    await release('first')
    await ask('loud', 'third', 'scope')
    expect(served).toEqual(['first', 'third'])
  })

  it('always has a slot for somebody, even with one', async () => {
    const { ask, release, served } = watch(1)
    await ask('a', 'a')
    await ask('b', 'b')
    await release('a')
    await release('b')
    expect(served).toEqual(['a', 'b'])
  })
})
