/**
 * The work queue: a small window of document ids in JetStream, on their way to the workers. JetStream keeps the leases, redelivers
 * and delays retries. Postgres can dispatch everything in it again, so losing all of it costs one window.
 * There are two queues, each a stream. JetStream delivers first come, first served, so a tenant with few documents in flight
 * would wait behind the window of a tenant with many. Its documents go to the priority queue.
 */
import { jetstream } from '@nats-io/jetstream'
import type { Consumer, JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../platform/log.ts'
import type { Broker } from './broker.ts'
import { subjectsOf } from './subjects.ts'
import { createWorkStream, namesOf, storageOfQueue } from './work-stream.ts'
import type { QueueNames, QueueStorage, QueueState } from './work-stream.ts'

export { LEASE_MS, RENEW_MS } from './work-stream.ts'
export type { QueueStorage, QueueState }

/** The message of one document: ids only, never content. */
export interface WorkMessage {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly ticket: string
  /** Its tenant has few documents in flight, so it goes to the priority queue. */
  readonly priority?: boolean
}

export type QueueName = 'standard' | 'priority'

export interface QueueDelivery {
  readonly message: WorkMessage
  /** The number of deliveries of this message so far. */
  readonly times: number
  /** The work is done, or the message is out of date. */
  ack(): void
  /** Renews the lease. */
  working(): void
  /** Deliver again after this time. */
  retryIn(ms: number): void
}

export interface WorkQueue {
  /** Whether the broker is connected. */
  isReachable(): boolean
  /** Creates the streams if they are missing, and replaces them if they refuse messages. Rejects while the broker is away. */
  inspect(): Promise<QueueState>
  /** Returns how many messages arrived. The dispatcher recalls the others. */
  publish(messages: readonly WorkMessage[]): Promise<number>
  /** Passes up to `max` deliveries to `handle` as they arrive, and resolves when there are no more or the time is over. */
  receive(
    queue: QueueName,
    max: number,
    withinMs: number,
    handle: (delivery: QueueDelivery) => void,
  ): Promise<number>
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TICKET = /^[0-9]{1,18}$/

export function createWorkQueue(broker: Broker, prefix: string, log?: Log): WorkQueue {
  const subjects = subjectsOf(prefix)
  const names = { standard: namesOf(subjects.work), priority: namesOf(subjects.priority) }
  const streams = [names.standard, names.priority].map((its) => createWorkStream(its, log))
  /** Some messages of the last publish did not arrive. */
  let isSuspected = false
  const receivers = { standard: createReceiver(names.standard), priority: createReceiver(names.priority) }
  return {
    isReachable: () => broker.isConnected(),
    async inspect() {
      const connection = requireConnection(broker)
      const states = await Promise.all(streams.map((stream) => stream.open(connection, isSuspected)))
      return {
        // The age of the younger stream: messages of the other cannot be told apart, and are out of date once they are recalled.
        ageMs: Math.min(...states.map(({ ageMs }) => ageMs)),
        held: states.reduce((sum, { held }) => sum + held, 0),
      }
    },
    async publish(messages) {
      const client = jetstream(requireConnection(broker), { timeout: 3_000 })
      const sent = await Promise.allSettled(
        messages.map((message) =>
          client.publish(names[message.priority ? 'priority' : 'standard'].subject, encodeMessage(message)),
        ),
      )
      const arrived = sent.filter(({ status }) => status === 'fulfilled').length
      isSuspected = arrived < messages.length
      return arrived
    },
    receive: async (queue, max, withinMs, handle) =>
      receivers[queue](requireConnection(broker), { max, withinMs }, (received) =>
        deliver(received, queue, handle),
      ),
  }
}

type Receiver = (
  connection: NatsConnection,
  bounds: { readonly max: number; readonly withinMs: number },
  handle: (message: JsMsg) => void,
) => Promise<number>

function createReceiver({ stream, consumer: name }: QueueNames): Receiver {
  let bound: { readonly connection: NatsConnection; readonly consumer: Consumer } | undefined
  return async (connection, { max, withinMs }, handle) => {
    if (bound?.connection !== connection)
      bound = { connection, consumer: await jetstream(connection).consumers.get(stream, name) }
    let received = 0
    try {
      for await (const message of await bound.consumer.fetch({ max_messages: max, expires: withinMs })) {
        received += 1
        handle(message)
      }
      return received
    } catch (error) {
      // The stream may have been replaced, so the next call looks it up again.
      bound = undefined
      throw error
    }
  }
}

function deliver(received: JsMsg, queue: QueueName, handle: (delivery: QueueDelivery) => void): void {
  // @point worker.receive-message
  const message = decodeMessage(received.string())
  // A message of a foreign sender must not be redelivered for ever.
  if (!message) return received.term('not a work message')
  handle({
    message: { ...message, priority: queue === 'priority' },
    times: received.info.deliveryCount,
    ack: () => received.ack(),
    working: () => received.working(),
    retryIn: (ms) => received.nak(ms),
  })
}

/**
 * Returns where the broker keeps the queues: in memory as soon as one of them is, undefined while there is none. Rejects
 * while the broker is away.
 */
export async function findQueueStorage(
  broker: Pick<Broker, 'connection'>,
  subjects: readonly string[],
): Promise<QueueStorage | undefined> {
  const connection = requireConnection(broker)
  const storages = await Promise.all(subjects.map((subject) => storageOfQueue(connection, namesOf(subject))))
  return storages.includes('memory') ? 'memory' : storages[0]
}

function requireConnection(broker: Pick<Broker, 'connection'>): NatsConnection {
  const connection = broker.connection()
  if (!connection) throw new Error('the broker is not connected')
  return connection
}

function encodeMessage({ tenantId, scopeId, documentId, ticket }: WorkMessage): string {
  return JSON.stringify([tenantId, scopeId, documentId, ticket])
}

/** Returns undefined for a payload of another form. The ids of the others are looked up in Postgres before they are used. */
function decodeMessage(payload: string): WorkMessage | undefined {
  const parts = parseParts(payload)
  const [tenantId, scopeId, documentId, ticket] = parts ?? []
  if (!tenantId || !scopeId || !documentId || !ticket) return undefined
  return UUID.test(tenantId) && TICKET.test(ticket) ? { tenantId, scopeId, documentId, ticket } : undefined
}

function parseParts(payload: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(payload)
    return Array.isArray(parsed) && parsed.every(isStorable) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Whether Postgres can store the text. */
function isStorable(part: unknown): part is string {
  return typeof part === 'string' && part.isWellFormed() && !part.includes('\u0000')
}
