import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { startPrivateNats } from '@concord/tools/services'
import { testServices } from '@concord/tools/testing'
import type { PrivateNats } from '@concord/tools/services'
import { createBroker } from '../../src/engine/broker.ts'
import type { Broker } from '../../src/engine/broker.ts'
import { createWorkQueue, findQueueStorage } from '../../src/engine/work-queue.ts'
import type { WorkQueue } from '../../src/engine/work-queue.ts'
import { createMemoryLog, silentLog } from '../support/log.ts'
import { messageFor, receiveSome } from '../support/queue.ts'

// The disk is tried again every five seconds.
vi.setConfig({ testTimeout: 40_000, hookTimeout: 40_000 })

/** A broker of its own: what happens to its disk here must happen to nobody else's. */
let dir: string
let nats: PrivateNats
let broker: Broker
let turn = 0

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'concord-work-stream-'))
  const { serverPath } = testServices().nats
  nats = await startPrivateNats({ dir, serverPath })
  broker = createBroker(nats.url.replace('//', `//${nats.user}:${nats.password}@`), silentLog)
  await broker.start()
  await waitUntil(() => broker.isConnected(), { what: 'the broker being connected', everyMs: 10 })
})
afterAll(async () => {
  await broker.stop()
  await nats.remove()
  await rm(dir, { recursive: true, force: true })
})

const store = () => join(nats.storeDir, 'jetstream')

/** Whatever the broker wants to write from now on fails, and what it had written is gone. */
async function breakDisk(): Promise<void> {
  await rm(store(), { recursive: true, force: true })
  await writeFile(store(), 'in the way')
}

async function mendDisk(): Promise<void> {
  await rm(store(), { recursive: true, force: true })
  await mkdir(store())
}

async function loseStreams(): Promise<void> {
  const connection = broker.connection()
  if (!connection) throw new Error('the broker is not connected')
  const manager = await jetstreamManager(connection)
  for (const { config } of await manager.streams.list().next()) await manager.streams.delete(config.name)
}

interface Carrier {
  readonly queue: WorkQueue
  readonly log: ReturnType<typeof createMemoryLog>
  place(): Promise<'disk' | 'memory' | undefined>
}

function openCarrier(): Carrier {
  const prefix = `concord.carrier-${(turn += 1)}`
  const log = createMemoryLog()
  return {
    queue: createWorkQueue(broker, prefix, log.log),
    log,
    place: () => findQueueStorage(broker, [`${prefix}.work`, `${prefix}.priority`]),
  }
}

async function carry({ queue }: Carrier, documentId: string): Promise<void> {
  expect(await queue.publish([messageFor(documentId)])).toBe(1)
  const [delivery] = await receiveSome(queue, 1)
  expect(delivery?.message.documentId).toBe(documentId)
  delivery?.ack()
}

describe('a queue whose broker cannot write', () => {
  it('goes on in the memory of the broker, and returns to the disk once that takes it', async () => {
    const carrier = openCarrier()
    const { queue, place, log } = carrier
    expect(await place()).toBeUndefined()
    await queue.inspect()
    expect(await place()).toBe('disk')
    await carry(carrier, 'before')
    const before = await queue.inspect()
    await breakDisk()
    try {
      const during = await queue.inspect()
      expect(during.held).toBe(0)
      expect(during.ageMs).toBeLessThan(before.ageMs)
      expect(await place()).toBe('memory')
      await carry(carrier, 'meanwhile')
      // Looked at again and again, it is not made anew each time.
      expect((await queue.inspect()).ageMs).toBeGreaterThan(during.ageMs)
    } finally {
      await mendDisk()
    }
    const after = await waitUntil(
      async () => {
        const state = await queue.inspect()
        return (await place()) === 'disk' && state
      },
      { what: 'the queue being on the disk again', everyMs: 200 },
    )
    expect(after.held).toBe(0)
    await carry(carrier, 'afterwards')
    expect(log.text()).toContain('the queue is in its memory')
    expect(log.text()).toContain('the queue is on its disk')
  })

  it('is made in memory where it has never been', async () => {
    const carrier = openCarrier()
    await breakDisk()
    try {
      await carrier.queue.inspect()
      expect(await carrier.place()).toBe('memory')
      await carry(carrier, 'first')
    } finally {
      await mendDisk()
    }
  })
})

describe('a queue made anew', () => {
  it.each([
    ['because the broker could not write', breakDisk, mendDisk],
    ['because all of it was lost', loseStreams, async () => undefined],
  ])('is not acknowledged by what somebody had in hand before: %s', async (_, ruin, mend) => {
    const { queue } = openCarrier()
    await queue.inspect()
    await queue.publish([messageFor('before')])
    const [before] = await receiveSome(queue, 1)
    try {
      await ruin()
      await queue.inspect()
    } finally {
      await mend()
    }
    await queue.publish([messageFor('after')])
    before?.ack()
    await broker.connection()?.flush()
    const [after] = await receiveSome(queue, 1)
    before?.ack()
    await broker.connection()?.flush()
    expect((await queue.inspect()).held).toBe(1)
    after?.ack()
    await waitUntil(async () => (await queue.inspect()).held === 0, { what: 'the new one being done' })
  })
})
