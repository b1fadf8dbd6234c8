/**
 * The stream behind the work queue. It is created if it is missing, and replaced if it refuses messages. After its disk
 * was full, NATS refuses messages to the existing streams until its process restarts, also when the disk has room
 * again, but it accepts a new stream. No operator is needed: the dispatcher can send everything in the stream again.
 * While the disk is full, the stream is in the memory of the broker; it moves back once a trial write to the disk
 * succeeds.
 */
import {
  AckPolicy,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import type { ConsumerInfo, JetStreamManager, StreamInfo } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../platform/log.ts'

export interface QueueNames {
  readonly stream: string
  readonly subject: string
  readonly consumer: string
}

export interface QueueState {
  /** The age of the queue by the clock of the broker. Messages sent before its creation are lost. */
  readonly ageMs: number
  /** The messages that will be delivered or are in flight. */
  readonly held: number
}

/** Where the broker stores the messages. */
export type QueueStorage = 'disk' | 'memory'

/**
 * The lease of a crashed worker expires after this time; a running worker renews its leases three times in it. If the
 * worker that takes over crashes as well, the document has waited for 10 s.
 */
export const LEASE_MS = 5_000
export const RENEW_MS = LEASE_MS / 3
const NANOS = 1_000_000
const ANSWER_MS = 3_000
/** The dispatcher waits for the trial while it must renew its lease, so this must be short. */
const TRIAL_ANSWER_MS = 1_000
const TRIAL_EVERY_MS = 5_000
/** A disk with less room than this would be full again at once. */
const TRIAL = { messages: 4, bytes: 256 * 1024 }
const STREAM_NOT_FOUND = 10_059
/** The consumer exists with other settings. */
const CONSUMER_EXISTS = 10_148
/** NATS cannot write: a consumer, anything, a stream, a purge, a message. */
const REFUSALS: ReadonlySet<number> = new Set([10_012, 10_104, 10_023, 10_047, 10_049, 10_051, 10_077])

export function namesOf(subject: string): QueueNames {
  return { stream: subject.replaceAll('.', '-'), subject, consumer: 'workers' }
}

/** Returns undefined while there is no queue. */
export async function storageOfQueue(
  connection: NatsConnection,
  { stream }: QueueNames,
): Promise<QueueStorage | undefined> {
  const manager = await jetstreamManager(connection, { timeout: ANSWER_MS })
  const found = await findStream(manager, stream)
  return found && storageOf(found)
}

export interface WorkStream {
  /** Makes the stream accept messages and returns its state. `isSuspected`: it did not accept an earlier message. */
  open(connection: NatsConnection, isSuspected: boolean): Promise<QueueState>
}

export function createWorkStream(names: QueueNames, log?: Log): WorkStream {
  let triedAt = -Infinity

  async function isDiskBack(connection: NatsConnection): Promise<boolean> {
    if (performance.now() - triedAt < TRIAL_EVERY_MS) return false
    triedAt = performance.now()
    return tryDisk(connection, names)
  }

  return {
    async open(connection, isSuspected) {
      const manager = await jetstreamManager(connection, { timeout: ANSWER_MS })
      const state = await inspectStream(manager, names, isSuspected)
      // @point queue.broker-refuses
      if (state.refusal) {
        log?.warn(
          { err: state.refusal },
          'the broker cannot write to its disk; the queue is in its memory now',
        )
        triedAt = performance.now()
        return replaceStream(manager, names, 'memory')
      }
      if (state.isTorn) return replaceStream(manager, names, 'disk')
      if (state.storage === 'disk' || !(await isDiskBack(connection))) return state
      log?.info('the broker can write again; the queue is on its disk now')
      return replaceStream(manager, names, 'disk')
    },
  }
}

interface StreamState extends QueueState {
  readonly storage: QueueStorage
  /** A power cut can leave an old stream with a newer consumer, which would skip the next messages. */
  readonly isTorn: boolean
  /** The error of the broker if it could not write. */
  readonly refusal?: Error
}

async function inspectStream(
  manager: JetStreamManager,
  names: QueueNames,
  isSuspected: boolean,
): Promise<StreamState> {
  const found = (await findStream(manager, names.stream)) ?? (await makeStream(manager, names))
  const [ageMs, storage] = [ageOf(found), storageOf(found)]
  try {
    if (isSuspected) await probeWrites(manager, names)
    return { ageMs, storage, ...(await findHeld(manager, names)) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { ageMs, storage, held: 0, isTorn: false, refusal: error }
  }
}

/** Each step writes to the disk of the broker, or reports that an earlier write failed. */
async function findHeld(
  manager: JetStreamManager,
  { stream, consumer }: QueueNames,
): Promise<Pick<StreamState, 'held' | 'isTorn'>> {
  const workers = await makeConsumer(manager, stream, consumer)
  // The state of the stream is read last, so that it is not older than that of the consumer.
  const { state } = await manager.streams.info(stream)
  const { ack_floor: floor } = workers
  // After a power cut, acknowledged messages may be in the stream again. No consumer will ever get them.
  if (state.messages > 0 && floor.stream_seq >= state.first_seq)
    await manager.streams.purge(stream, { seq: floor.stream_seq + 1 })
  return {
    // Only messages that will be delivered count, not all messages of the stream.
    held: workers.num_pending + workers.num_ack_pending,
    isTorn: workers.delivered.stream_seq > state.last_seq,
  }
}

/** Creates the consumer, or updates one that an earlier release created. */
async function makeConsumer(
  manager: JetStreamManager,
  stream: string,
  consumer: string,
): Promise<ConsumerInfo> {
  const wanted = {
    ack_policy: AckPolicy.Explicit,
    ack_wait: LEASE_MS * NANOS,
    max_deliver: -1,
    max_ack_pending: 10_000,
  }
  try {
    return await manager.consumers.add(stream, { durable_name: consumer, ...wanted })
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === CONSUMER_EXISTS)) throw error
    return manager.consumers.update(stream, consumer, wanted)
  }
}

/**
 * Purges a subject that no message has. A stream that cannot write refuses the purge at once, while a publish to it
 * gets no answer. Use it only for a suspected stream: at every purge the broker forgets which messages it was about to
 * redeliver, and redelivers them a lease later.
 */
async function probeWrites(manager: JetStreamManager, { stream, subject }: QueueNames): Promise<void> {
  await manager.streams.purge(stream, { filter: `${subject}.nothing` })
}

/** Replaces the stream. All its messages are lost, which its age shows. */
async function replaceStream(
  manager: JetStreamManager,
  names: QueueNames,
  storage: QueueStorage,
): Promise<QueueState> {
  await manager.streams.delete(names.stream)
  const made = await addStream(manager, names, storage)
  const { held } = await findHeld(manager, names)
  return { ageMs: ageOf(made), held }
}

async function makeStream(manager: JetStreamManager, names: QueueNames): Promise<StreamInfo> {
  return addStream(manager, names, 'disk').catch((error: unknown) => {
    if (!isRefusal(error)) throw error
    return addStream(manager, names, 'memory')
  })
}

async function addStream(
  manager: JetStreamManager,
  { stream, subject }: QueueNames,
  storage: QueueStorage,
): Promise<StreamInfo> {
  return manager.streams.add({
    name: stream,
    subjects: [subject],
    retention: RetentionPolicy.Workqueue,
    storage: storage === 'disk' ? StorageType.File : StorageType.Memory,
    duplicate_window: 1_000 * NANOS,
    // The sequence starts at the microsecond, beyond every number of an earlier stream of this name. A worker that
    // still has messages of that stream in flight must not acknowledge messages of this one: they would be gone and
    // still count as held.
    first_seq: Date.now() * 1_000,
  })
}

/** Writes as much as the disk should have room for, and deletes it again. */
async function tryDisk(connection: NatsConnection, { stream, subject }: QueueNames): Promise<boolean> {
  const trial = `${stream}-trial`
  const manager = await jetstreamManager(connection, { timeout: ANSWER_MS })
  const client = jetstream(connection, { timeout: TRIAL_ANSWER_MS })
  const payload = new Uint8Array(Math.min(TRIAL.bytes, connection.info?.max_payload ?? TRIAL.bytes))
  try {
    await manager.streams.add({ name: trial, subjects: [`${subject}.trial`], storage: StorageType.File })
    for (let sent = 0; sent < TRIAL.messages; sent += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the first that is refused is enough
      await client.publish(`${subject}.trial`, payload)
    }
    return true
  } catch {
    return false
  } finally {
    await manager.streams.delete(trial).catch(() => false)
  }
}

async function findStream(manager: JetStreamManager, stream: string): Promise<StreamInfo | undefined> {
  return manager.streams.info(stream).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return undefined
    throw error
  })
}

/** Whether the broker answered that it cannot write. A broker that does not answer is merely away. */
function isRefusal(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError && REFUSALS.has(error.code)
}

function ageOf({ ts, created }: StreamInfo): number {
  // Servers before 2.10 do not send their time.
  return Math.max(0, (ts === undefined ? Date.now() : Date.parse(ts)) - Date.parse(created))
}

function storageOf({ config }: StreamInfo): QueueStorage {
  return config.storage === StorageType.Memory ? 'memory' : 'disk'
}
