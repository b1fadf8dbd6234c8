/**
 * Work on its way to the workers: a small window of ids in a JetStream work queue. Lease, redelivery and delayed retry
 * are the queue's own. It holds nothing that Postgres cannot release again, so losing all of it costs one window.
 */
import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import type { Consumer, JetStreamManager, JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Broker } from './broker.ts'

/** What travels: ids only, never content. */
export interface WorkNote {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly ticket: string
}

export interface Delivery {
  readonly note: WorkNote
  /** Done, or nobody's any more. */
  ack(): void
  /** Still at it: the lease begins anew. */
  working(): void
  /** Deliver again after this time. */
  retryIn(ms: number): void
}

export interface QueueState {
  /** When the queue was made: another one means that everything in it was lost. */
  readonly incarnation: string
  /** Messages that will be delivered, or are being worked on. */
  readonly held: number
}

export interface WorkQueue {
  /** Whether sending makes sense just now. */
  isReachable(): boolean
  /** Makes the queue where it is missing. Rejects while the broker is away. */
  inspect(): Promise<QueueState>
  /** How many arrived; those that did not will be recalled. */
  publish(notes: readonly WorkNote[]): Promise<number>
  /** Hands over up to `max` deliveries as they come, and returns when there are no more or the time is over. */
  receive(max: number, withinMs: number, handle: (delivery: Delivery) => void): Promise<number>
}

/** A dead worker's lease ends after this; the living renew theirs three times in it. */
export const LEASE_MS = 9_000
const NANOS = 1_000_000

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TICKET = /^[0-9]{1,18}$/

export function createWorkQueue(broker: Broker, prefix: string): WorkQueue {
  const names: QueueNames = {
    stream: `${prefix.replaceAll('.', '-')}-work`,
    subject: `${prefix}.work`,
    consumer: 'workers',
  }
  let bound: { readonly connection: NatsConnection; readonly consumer: Consumer } | undefined
  return {
    isReachable: () => broker.isConnected(),
    async inspect() {
      const manager = await jetstreamManager(requireConnection(broker), { timeout: 3_000 })
      const sight = await openQueue(manager, names)
      if (!sight.isTorn) return sight
      await manager.streams.delete(names.stream)
      return openQueue(manager, names)
    },
    async publish(notes) {
      const client = jetstream(requireConnection(broker), { timeout: 3_000 })
      const sent = await Promise.allSettled(
        notes.map((note) => client.publish(names.subject, encodeNote(note))),
      )
      return sent.filter(({ status }) => status === 'fulfilled').length
    },
    async receive(max, withinMs, handle) {
      const connection = requireConnection(broker)
      if (bound?.connection !== connection)
        bound = {
          connection,
          consumer: await jetstream(connection).consumers.get(names.stream, names.consumer),
        }
      try {
        return await drainFetch(bound.consumer, max, withinMs, handle)
      } catch (error) {
        // The queue may have been made anew: look it up again next time.
        bound = undefined
        throw error
      }
    },
  }
}

interface QueueNames {
  readonly stream: string
  readonly subject: string
  readonly consumer: string
}

async function openQueue(
  manager: JetStreamManager,
  names: QueueNames,
): Promise<QueueState & { readonly isTorn: boolean }> {
  const { created } = await manager.streams.add({
    name: names.stream,
    subjects: [names.subject],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    duplicate_window: 1_000 * NANOS,
  })
  const workers = await manager.consumers.add(names.stream, {
    durable_name: names.consumer,
    ack_policy: AckPolicy.Explicit,
    ack_wait: LEASE_MS * NANOS,
    max_deliver: -1,
    max_ack_pending: 10_000,
  })
  // Asked last, so that it cannot be older than what the consumer has seen of it.
  const { state } = await manager.streams.info(names.stream)
  const { ack_floor: floor } = workers
  // Acknowledged, and there again after a power cut: nobody will ever get them.
  if (state.messages > 0 && floor.stream_seq >= state.first_seq)
    await manager.streams.purge(names.stream, { seq: floor.stream_seq + 1 })
  return {
    incarnation: created,
    // Not the messages of the stream: only what will be delivered counts.
    held: workers.num_pending + workers.num_ack_pending,
    // A power cut can leave an old stream beside a newer consumer, which would skip what comes next.
    isTorn: workers.delivered.stream_seq > state.last_seq,
  }
}

async function drainFetch(
  consumer: Consumer,
  max: number,
  withinMs: number,
  handle: (delivery: Delivery) => void,
): Promise<number> {
  let received = 0
  for await (const message of await consumer.fetch({ max_messages: max, expires: withinMs })) {
    received += 1
    const delivery = toDelivery(message)
    if (delivery) handle(delivery)
    // Not of ours: whoever put it there, it must not come back for ever.
    else message.term('not a work note')
  }
  return received
}

function toDelivery(message: JsMsg): Delivery | undefined {
  const note = decodeNote(message.string())
  return (
    note && {
      note,
      ack: () => message.ack(),
      working: () => message.working(),
      retryIn: (ms) => message.nak(ms),
    }
  )
}

function requireConnection(broker: Broker): NatsConnection {
  const connection = broker.connection()
  if (!connection) throw new Error('the broker is not connected')
  return connection
}

function encodeNote({ tenantId, scopeId, documentId, ticket }: WorkNote): string {
  return JSON.stringify([tenantId, scopeId, documentId, ticket])
}

/** A message is a stranger's until it has the form of ours; what it names is then looked up in Postgres. */
function decodeNote(payload: string): WorkNote | undefined {
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

/** Text that Postgres can hold. */
function isStorable(part: unknown): part is string {
  return typeof part === 'string' && part.isWellFormed() && !part.includes('\u0000')
}
