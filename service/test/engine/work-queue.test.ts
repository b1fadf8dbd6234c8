import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { createBroker } from '../../src/engine/broker.ts'
import { createWorkQueue, LEASE_MS } from '../../src/engine/work-queue.ts'
import type { QueueDelivery } from '../../src/engine/work-queue.ts'
import { silentLog } from '../support/log.ts'
import { natsAddress, messageFor, openQueue, receive, receiveSome, useQueue } from '../support/queue.ts'
import type { TestQueue } from '../support/queue.ts'

// Leases of five seconds are waited for, some of them on a busy machine.
vi.setConfig({ testTimeout: 40_000 })

const shared = useQueue()

afterEach(async () => {
  const { manager, stream } = shared()
  await manager.streams.purge(stream)
})

const isEmpty = (queue: TestQueue) =>
  waitUntil(async () => (await queue.held()) === 0, { what: 'the queue being empty', everyMs: 20 })

/** With a queue that nobody else in this file uses, so that waiting in one test disturbs no other. */
async function withQueue<Result>(work: (own: TestQueue) => Promise<Result>): Promise<Result> {
  const own = await openQueue()
  try {
    await own.queue.inspect()
    return await work(own)
  } finally {
    await own.close()
  }
}

describe('a message', () => {
  it('arrives as it was sent, and is gone once it is acknowledged', async () => {
    const { queue } = shared()
    const notes = [messageFor('plain'), messageFor('with / and " and é 🎉', '999999999999999999')]
    expect(await queue.publish(notes)).toBe(2)
    const deliveries = await receiveSome(queue, 2)
    expect(deliveries.map((delivery) => delivery.message)).toEqual(
      notes.map((each) => ({ ...each, priority: false })),
    )
    for (const delivery of deliveries) delivery.ack()
    await isEmpty(shared())
  })

  it('contains only ids', async () => {
    const { queue, payloads } = shared()
    await queue.publish([
      { ...messageFor('report', '42'), content: 'secret words' } as ReturnType<typeof messageFor>,
    ])
    expect(await payloads()).toEqual([
      JSON.stringify(['6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66', 'default', 'report', '42']),
    ])
    for (const delivery of await receiveSome(queue, 1)) delivery.ack()
    await isEmpty(shared())
  })

  it('goes to exactly one of several consumers', async () => {
    const { queue, prefix } = shared()
    const other = createBroker(await natsAddress(), silentLog)
    await other.start()
    await queue.publish(Array.from({ length: 40 }, (_, index) => messageFor(`d${index}`)))
    const second = createWorkQueue(other, prefix)
    const pulled = await Promise.all([queue, second, queue, second].map((each) => receive(each, 10)))
    const names = pulled.flat().map((delivery) => delivery.message.documentId)
    expect(names).toHaveLength(40)
    expect(new Set(names).size).toBe(40)
    for (const delivery of pulled.flat()) delivery.ack()
    await isEmpty(shared())
    await other.stop()
  })

  it('is counted as held while it waits and while it is worked on', async () => {
    const { queue } = shared()
    const heldBy = async () => (await queue.inspect()).held
    expect(await heldBy()).toBe(0)
    await queue.publish([messageFor('a'), messageFor('b')])
    expect(await heldBy()).toBe(2)
    const deliveries = await receiveSome(queue, 2)
    expect(await heldBy()).toBe(2)
    for (const delivery of deliveries) delivery.ack()
    await waitUntil(async () => (await heldBy()) === 0, { what: 'nothing being held', everyMs: 20 })
  })
})

describe('a pull', () => {
  it('returns after its timeout when the queue is empty', async () => {
    const asked = performance.now()
    expect(await receive(shared().queue, 5, 1_000)).toEqual([])
    expect(performance.now() - asked).toBeLessThan(5_000)
  })

  it('returns no more than the requested number', async () => {
    const { queue } = shared()
    await queue.publish(Array.from({ length: 5 }, (_, index) => messageFor(`d${index}`)))
    const first = await receive(queue, 3)
    expect(first).toHaveLength(3)
    for (const delivery of [...first, ...(await receiveSome(queue, 2))]) delivery.ack()
    await isEmpty(shared())
  })
})

describe('a message that is not one of ours', () => {
  const tenant = '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66'
  it.each([
    ['no JSON', 'garbage'],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00])],
    ['nothing at all', ''],
    ['another kind of JSON', '{"tenantId":"x"}'],
    ['a null', 'null'],
    ['too few parts', JSON.stringify([tenant, 'default', 'report'])],
    ['an empty part', JSON.stringify([tenant, '', 'report', '1'])],
    ['a number for a ticket', JSON.stringify([tenant, 'default', 'report', 1])],
    ['a ticket that is no number', JSON.stringify([tenant, 'default', 'report', '1; drop table work'])],
    ['a ticket beyond all tickets', JSON.stringify([tenant, 'default', 'report', '9'.repeat(19)])],
    ['a tenant that is no id', JSON.stringify(['acme', 'default', 'report', '1'])],
  ])('is dropped for good and handed to nobody: %s', async (_, payload) => {
    const { queue, publishRaw } = shared()
    await publishRaw(payload)
    await queue.publish([messageFor('behind it')])
    // The pull ends with the second message, whatever the first one was.
    const deliveries = await receive(queue, 2, 10_000)
    expect(deliveries.map((delivery) => delivery.message.documentId)).toEqual(['behind it'])
    for (const delivery of deliveries) delivery.ack()
    await isEmpty(shared())
  })
})

describe.concurrent('a delivery', () => {
  it('is repeated when its lease expires without an answer, and not before', async () => {
    await withQueue(async ({ queue }) => {
      await queue.publish([messageFor('lost')])
      await receiveSome(queue, 1)
      const taken = performance.now()
      const [again] = await receiveSome(queue, 1, 30_000)
      const waited = performance.now() - taken
      expect(again?.message.documentId).toBe('lost')
      expect(waited).toBeGreaterThan(LEASE_MS - 1_500)
      expect(waited).toBeLessThan(LEASE_MS + 5_000)
    })
  })

  it('is not repeated while it is in progress', async () => {
    await withQueue(async ({ queue, held }) => {
      await queue.publish([messageFor('long'), messageFor('lost')])
      const deliveries = await receiveSome(queue, 2)
      const long = deliveries.find((delivery) => delivery.message.documentId === 'long')
      const renewal = setInterval(() => long?.working(), 1_000)
      // The other one's return tells that a whole lease has passed.
      const [again] = await receiveSome(queue, 1, 30_000)
      expect(again?.message.documentId).toBe('lost')
      expect(await receive(queue, 5)).toEqual([])
      clearInterval(renewal)
      long?.ack()
      again?.ack()
      await waitUntil(async () => (await held()) === 0, { what: 'both being done' })
    })
  })

  it('is repeated after the requested delay, and not before', async () => {
    await withQueue(async ({ queue }) => {
      await queue.publish([messageFor('later')])
      const [first] = await receiveSome(queue, 1)
      first?.retryIn(2_000)
      const asked = performance.now()
      const [again] = await receiveSome(queue, 1, 15_000)
      expect(again?.message.documentId).toBe('later')
      expect(performance.now() - asked).toBeGreaterThan(1_800)
    })
  })
})

describe('a queue that was lost', () => {
  it('is recognized by its age, and found again by its consumers', async () => {
    await withQueue(async ({ queue, deleteStream }) => {
      const before = await queue.inspect()
      await delay(300)
      expect((await queue.inspect()).ageMs - before.ageMs).toBeGreaterThanOrEqual(300)
      await queue.publish([messageFor('lost with it')])
      await receive(queue, 1)
      await deleteStream()
      // Pulling meanwhile may fail or bring nothing; it must not spoil what comes after.
      await receive(queue, 1).catch(() => [])
      const after = await queue.inspect()
      expect(after.ageMs).toBeLessThan(before.ageMs + 300)
      expect(after.held).toBe(0)
      await queue.publish([messageFor('new')])
      const deliveries = await waitUntil(
        async () => {
          const found = await receive(queue, 1).catch(() => [])
          return found.length > 0 && found
        },
        { what: 'a delivery of the new queue' },
      )
      expect(deliveries.map((delivery) => delivery.message.documentId)).toEqual(['new'])
    })
  })

  it('accepts nothing, and reports how much did not arrive', async () => {
    await withQueue(async ({ queue, deleteStream }) => {
      await deleteStream()
      expect(await queue.publish([messageFor('a'), messageFor('b')])).toBe(0)
    })
  })
})

describe('a message that waits for its next delivery', () => {
  it('is kept when the queue is inspected meanwhile', async () => {
    await withQueue(async ({ queue }) => {
      await queue.publish([messageFor('handed back')])
      for (const delivery of await receive(queue, 1)) delivery.retryIn(100)
      // Due by now, and nobody pulls.
      await delay(500)
      await queue.inspect()
      expect((await receive(queue, 1, 2_000)).map(({ times }) => times)).toEqual([2])
    })
  })
})

describe('a queue that an earlier release made', () => {
  it('gets the lease of this release when it is inspected, and keeps its messages', async () => {
    await withQueue(async ({ queue, manager, stream }) => {
      await queue.publish([messageFor('waits')])
      const leaseMs = async () =>
        ((await manager.consumers.info(stream, 'workers')).config.ack_wait ?? 0) / 1_000_000
      await manager.consumers.update(stream, 'workers', { ack_wait: 9_000 * 1_000_000 })
      expect(await leaseMs()).toBe(9_000)
      expect((await queue.inspect()).held).toBe(1)
      expect(await leaseMs()).toBe(LEASE_MS)
    })
  })
})

describe('the priority queue', () => {
  it('is separate from the standard queue, and both count as held', async () => {
    await withQueue(async ({ queue }) => {
      await queue.publish([messageFor('standard'), { ...messageFor('hurried'), priority: true }])
      expect((await queue.inspect()).held).toBe(2)
      const taken: QueueDelivery[] = []
      await queue.receive('priority', 1, 1_000, (delivery) => void taken.push(delivery))
      expect(taken).toMatchObject([{ message: { documentId: 'hurried', priority: true } }])
      taken[0]?.ack()
      expect((await receiveSome(queue, 1)).map((each) => each.message.documentId)).toEqual(['standard'])
    })
  })
})

describe('without a broker', () => {
  it('every call fails at once', async () => {
    const broker = createBroker('nats://127.0.0.1:1', silentLog)
    const queue = createWorkQueue(broker, 'concord.nowhere')
    expect(queue.isReachable()).toBe(false)
    await expect(queue.inspect()).rejects.toThrow('not connected')
    await expect(queue.publish([messageFor('a')])).rejects.toThrow('not connected')
    await expect(queue.receive('standard', 1, 100, () => undefined)).rejects.toThrow('not connected')
    await broker.stop()
  })
})
