/**
 * Work on its way to the workers: a small window of ids in a JetStream work queue. Lease, redelivery and delayed retry
 * are the queue's own. It holds nothing that Postgres cannot release again, so losing all of it costs one window.
 * Two lines, each a stream: the broker hands out first come, first served, so whoever has little under way would wait for
 * the window of whoever has much. They go express.
 */
import { jetstream } from '@nats-io/jetstream'
import type { Consumer, JsMsg } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../platform/log.ts'
import type { Broker } from './broker.ts'
import { subjectsOf } from './subjects.ts'
import { createWorkStream, namesOf, placeOfQueue } from './work-stream.ts'
import type { QueueNames, QueuePlace, QueueState } from './work-stream.ts'

export { LEASE_MS, RENEW_MS } from './work-stream.ts'
export type { QueuePlace, QueueState }

/** The message of the queue: ids only, never content. */
export interface WorkNote {
  readonly tenantId: string
  readonly scopeId: string
  readonly documentId: string
  readonly ticket: string
  /** Its tenant has little under way: it goes by the express line. */
  readonly express?: boolean
}

export type QueueName = 'common' | 'express'

export interface QueueDelivery {
  readonly note: WorkNote
  /** How often it has been handed out by now. */
  readonly times: number
  /** Done, or nobody's any more. */
  ack(): void
  /** Still at it: the lease begins anew. */
  working(): void
  /** Deliver again after this time. */
  retryIn(ms: number): void
}

export interface WorkQueue {
  /** Whether sending makes sense just now. */
  isReachable(): boolean
  /** Makes the queue where it is missing, and anew where it takes nothing. Rejects while the broker is away. */
  inspect(): Promise<QueueState>
  /** How many arrived; those that did not will be recalled. */
  publish(notes: readonly WorkNote[]): Promise<number>
  /** Hands over up to `max` deliveries as they come, and returns when there are no more or the time is over. */
  receive(
    line: QueueName,
    max: number,
    withinMs: number,
    handle: (delivery: QueueDelivery) => void,
  ): Promise<number>
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TICKET = /^[0-9]{1,18}$/

export function createWorkQueue(broker: Broker, prefix: string, log?: Log): WorkQueue {
  const subjects = subjectsOf(prefix)
  const names = { common: namesOf(subjects.work), express: namesOf(subjects.express) }
  const streams = [names.common, names.express].map((its) => createWorkStream(its, log))
  /** Some of the notes that were sent last did not arrive. */
  let isSuspected = false
  const receivers = { common: createReceiver(names.common), express: createReceiver(names.express) }
  return {
    isReachable: () => broker.isConnected(),
    async inspect() {
      const connection = requireConnection(broker)
      const states = await Promise.all(streams.map((stream) => stream.open(connection, isSuspected)))
      return {
        // The age of the younger one: what the other still holds cannot be told apart, and is worth nothing once it is taken back.
        ageMs: Math.min(...states.map(({ ageMs }) => ageMs)),
        held: states.reduce((sum, { held }) => sum + held, 0),
      }
    },
    async publish(notes) {
      const client = jetstream(requireConnection(broker), { timeout: 3_000 })
      const sent = await Promise.allSettled(
        notes.map((note) =>
          client.publish(names[note.express ? 'express' : 'common'].subject, encodeNote(note)),
        ),
      )
      const arrived = sent.filter(({ status }) => status === 'fulfilled').length
      isSuspected = arrived < notes.length
      return arrived
    },
    receive: async (line, max, withinMs, handle) =>
      receivers[line](requireConnection(broker), { max, withinMs }, (message) =>
        handOver(message, line, handle),
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
      // The queue may have been made anew: look it up again next time.
      bound = undefined
      throw error
    }
  }
}

function handOver(message: JsMsg, line: QueueName, handle: (delivery: QueueDelivery) => void): void {
  // @point worker.receive-message
  const note = decodeNote(message.string())
  // Not of ours: whoever put it there, it must not come back for ever.
  if (!note) return message.term('not a work note')
  handle({
    note: { ...note, express: line === 'express' },
    times: message.info.deliveryCount,
    ack: () => message.ack(),
    working: () => message.working(),
    retryIn: (ms) => message.nak(ms),
  })
}

/**
 * For who only wants to know. Undefined while nobody has made the queue; in memory as soon as one of its lines is. Rejects
 * while the broker is away.
 */
export async function findQueuePlace(
  broker: Pick<Broker, 'connection'>,
  subjects: readonly string[],
): Promise<QueuePlace | undefined> {
  const connection = requireConnection(broker)
  const places = await Promise.all(subjects.map((subject) => placeOfQueue(connection, namesOf(subject))))
  return places.includes('memory') ? 'memory' : places[0]
}

function requireConnection(broker: Pick<Broker, 'connection'>): NatsConnection {
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
