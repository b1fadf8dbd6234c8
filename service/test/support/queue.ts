/** A work queue of its own on the real broker, gone when the file has ended. */
import { randomBytes } from 'node:crypto'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { JetStreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll } from 'vitest'
import { waitUntil } from '@concord/tools/launch'
import { testServices } from '@concord/tools/testing'
import { createBroker } from '../../src/engine/broker.ts'
import type { Broker } from '../../src/engine/broker.ts'
import { createWorkQueue } from '../../src/engine/work-queue.ts'
import type { QueueDelivery, WorkMessage, WorkQueue } from '../../src/engine/work-queue.ts'
import { silentLog } from './log.ts'

export interface TestQueue {
  readonly queue: WorkQueue
  readonly broker: Broker
  readonly prefix: string
  readonly stream: string
  readonly connection: NatsConnection
  readonly manager: JetStreamManager
  /** Puts anything at all where the notes are. */
  publishRaw(payload: string | Uint8Array): Promise<void>
  /** Messages that are waiting or being worked on. */
  held(): Promise<number>
  /** The payloads that are there, as anybody with access to the broker would see them. */
  payloads(): Promise<string[]>
  /** Gone as after the loss of the broker's disk. */
  deleteStream(): Promise<void>
}

export async function natsAddress(): Promise<string> {
  const { url, user, password } = testServices().nats
  return url.replace('//', `//${user}:${password}@`)
}

const streamOf = (prefix: string) => `${prefix.replaceAll('.', '-')}-work`
const priorityStreamOf = (prefix: string) => `${prefix.replaceAll('.', '-')}-priority`

/** Removes the stream that processes of a test made on the broker that all tests share. */
export async function removeStream(prefix: string): Promise<void> {
  const { url, user, password } = testServices().nats
  const connection = await connect({ servers: url, user, pass: password })
  const { streams } = await jetstreamManager(connection)
  for (const stream of [streamOf(prefix), priorityStreamOf(prefix)])
    await streams.delete(stream).catch(() => undefined)
  await connection.close()
}

export async function openQueue(): Promise<TestQueue & { close(): Promise<void> }> {
  const prefix = `concord.test-${randomBytes(6).toString('hex')}`
  const broker = createBroker(await natsAddress(), silentLog)
  await broker.start()
  await waitUntil(() => broker.isConnected(), { what: 'the broker being connected', everyMs: 10 })
  const connection = broker.connection()
  if (!connection) throw new Error('the broker is not connected')
  const manager = await jetstreamManager(connection)
  const stream = streamOf(prefix)
  const deleteStream = async () => void (await manager.streams.delete(stream))
  return {
    queue: createWorkQueue(broker, prefix),
    broker,
    prefix,
    stream,
    connection,
    manager,
    publishRaw: async (payload) => void (await jetstream(connection).publish(`${prefix}.work`, payload)),
    held: async () => (await manager.streams.info(stream)).state.messages,
    async payloads() {
      const { state } = await manager.streams.info(stream)
      const found: string[] = []
      for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
        const message = await manager.streams.getMessage(stream, { seq }).catch(() => null)
        if (message) found.push(message.string())
      }
      return found
    },
    deleteStream,
    async close() {
      await deleteStream().catch(() => undefined)
      await manager.streams.delete(priorityStreamOf(prefix)).catch(() => undefined)
      await broker.stop()
    },
  }
}

/** Made anew for each file, with the stream already there. */
export function useQueue(): () => TestQueue {
  let opened: Awaited<ReturnType<typeof openQueue>> | undefined
  beforeAll(async () => {
    opened = await openQueue()
    await opened.queue.inspect()
  })
  afterAll(() => opened?.close())
  return () => {
    if (!opened) throw new Error('The queue exists only inside tests')
    return opened
  }
}

/** The messages of one pull. */
export async function receive(queue: WorkQueue, max = 100, withinMs = 1_000): Promise<QueueDelivery[]> {
  const deliveries: QueueDelivery[] = []
  await queue.receive('standard', max, withinMs, (delivery) => void deliveries.push(delivery))
  return deliveries
}

/** Pulls until there are this many. */
export async function receiveSome(
  queue: WorkQueue,
  count: number,
  withinMs = 15_000,
): Promise<QueueDelivery[]> {
  const deliveries: QueueDelivery[] = []
  await waitUntil(
    async () => {
      deliveries.push(...(await receive(queue, count - deliveries.length, 1_000)))
      return deliveries.length >= count
    },
    { what: `${count} deliveries`, withinMs, everyMs: 1 },
  )
  return deliveries
}

export const messageFor = (documentId: string, ticket = '1'): WorkMessage => ({
  tenantId: '6f8d0c5e-2b1a-4d57-9a3c-0e4b7d1f2a66',
  scopeId: 'default',
  documentId,
  ticket,
})
