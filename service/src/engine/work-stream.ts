/**
 * The stream behind the work queue, made where it is missing and made anew where it no longer takes anything. A NATS
 * whose disk was full goes on refusing what is sent to a stream that met it, also when there is room again, until its
 * process is restarted; a new stream it accepts. So nobody has to come: everything in the stream can be released again.
 * While the disk has no room the stream is in the broker's memory, and goes back once the disk takes a trial.
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
  /** How long ago the queue was made, by the clock of the broker: what was sent to it before is lost. */
  readonly ageMs: number
  /** Messages that will be delivered, or are being worked on. */
  readonly held: number
}

/** Where the broker keeps the work that it carries. */
export type QueuePlace = 'disk' | 'memory'

/**
 * A dead worker's lease ends after this; the living renew theirs three times in it. Short enough for a second one where the worker
 * that was to take over dies as well: then a document has waited for 10 s.
 */
export const LEASE_MS = 5_000
export const RENEW_MS = LEASE_MS / 3
const NANOS = 1_000_000
const ANSWER_MS = 3_000
/** Waited for within the renewal of a lease, so it must be short. */
const TRIAL_ANSWER_MS = 1_000
const TRIAL_EVERY_MS = 5_000
/** A disk with less room than this would be full again at once. */
const TRIAL = { messages: 4, bytes: 256 * 1024 }
const STREAM_NOT_FOUND = 10_059
/** With other settings than those asked for. */
const CONSUMER_EXISTS = 10_148
/** No room or no leave to write: for a consumer, for anything, for a stream, at a purge, for a message. */
const REFUSALS: ReadonlySet<number> = new Set([10_012, 10_104, 10_023, 10_047, 10_049, 10_051, 10_077])

export function namesOf(subject: string): QueueNames {
  return { stream: subject.replaceAll('.', '-'), subject, consumer: 'workers' }
}

/** Undefined while there is no queue. */
export async function placeOfQueue(
  connection: NatsConnection,
  { stream }: QueueNames,
): Promise<QueuePlace | undefined> {
  const manager = await jetstreamManager(connection, { timeout: ANSWER_MS })
  const found = await findStream(manager, stream)
  return found && placeOf(found)
}

export interface WorkStream {
  /** Brings it into a state in which it takes work, and tells what that is. Suspected is one that did not take something. */
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
      const sight = await look(manager, names, isSuspected)
      // @point queue.broker-refuses
      if (sight.refusal) {
        log?.warn({ err: sight.refusal }, 'the broker cannot write; work is carried in its memory')
        triedAt = performance.now()
        return makeAnew(manager, names, 'memory')
      }
      if (sight.isTorn) return makeAnew(manager, names, 'disk')
      if (sight.place === 'disk' || !(await isDiskBack(connection))) return sight
      log?.info('the broker can write again; work is carried on its disk')
      return makeAnew(manager, names, 'disk')
    },
  }
}

interface Sight extends QueueState {
  readonly place: QueuePlace
  /** A power cut can leave an old stream beside a newer consumer, which would skip what comes next. */
  readonly isTorn: boolean
  /** The error of the broker when it could not write. */
  readonly refusal?: Error
}

async function look(manager: JetStreamManager, names: QueueNames, isSuspected: boolean): Promise<Sight> {
  const found = (await findStream(manager, names.stream)) ?? (await makeStream(manager, names))
  const [ageMs, place] = [ageOf(found), placeOf(found)]
  try {
    if (isSuspected) await askWhetherItWrites(manager, names)
    return { ageMs, place, ...(await findHeld(manager, names)) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { ageMs, place, held: 0, isTorn: false, refusal: error }
  }
}

/** Each step writes on the broker's disk, or says that an earlier write failed. */
async function findHeld(
  manager: JetStreamManager,
  { stream, consumer }: QueueNames,
): Promise<Pick<Sight, 'held' | 'isTorn'>> {
  const workers = await makeConsumer(manager, stream, consumer)
  // Asked last, so that it cannot be older than what the consumer has seen of it.
  const { state } = await manager.streams.info(stream)
  const { ack_floor: floor } = workers
  // Acknowledged, and there again after a power cut: nobody will ever get them.
  if (state.messages > 0 && floor.stream_seq >= state.first_seq)
    await manager.streams.purge(stream, { seq: floor.stream_seq + 1 })
  return {
    // Not the messages of the stream: only what will be delivered counts.
    held: workers.num_pending + workers.num_ack_pending,
    isTorn: workers.delivered.stream_seq > state.last_seq,
  }
}

/** One that an earlier release made is brought up to date. */
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
 * Nothing has this subject, so nothing goes; but a stream that could not write refuses this too, and says so at once, while
 * whoever sends to it gets no answer at all. Not without need: the broker forgets at every purge what it was about to
 * deliver again, and comes back to it a whole lease later.
 */
async function askWhetherItWrites(manager: JetStreamManager, { stream, subject }: QueueNames): Promise<void> {
  await manager.streams.purge(stream, { filter: `${subject}.nothing` })
}

/** Everything in it is lost, as its age tells. */
async function makeAnew(
  manager: JetStreamManager,
  names: QueueNames,
  place: QueuePlace,
): Promise<QueueState> {
  await manager.streams.delete(names.stream)
  const made = await addStream(manager, names, place)
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
  place: QueuePlace,
): Promise<StreamInfo> {
  return manager.streams.add({
    name: stream,
    subjects: [subject],
    retention: RetentionPolicy.Workqueue,
    storage: place === 'disk' ? StorageType.File : StorageType.Memory,
    duplicate_window: 1_000 * NANOS,
    // By the microsecond, so beyond every number of an earlier stream of this name: what a worker still has in flight
    // from that one must not acknowledge what comes now, or it would be gone and still count as held.
    first_seq: Date.now() * 1_000,
  })
}

/** Writes as much as the disk should have room for, and takes it away again. */
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

/** The broker answers, and says no; one that does not answer is merely away. */
function isRefusal(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError && REFUSALS.has(error.code)
}

function ageOf({ ts, created }: StreamInfo): number {
  // Servers before 2.10 do not tell their time.
  return Math.max(0, (ts === undefined ? Date.now() : Date.parse(ts)) - Date.parse(created))
}

function placeOf({ config }: StreamInfo): QueuePlace {
  return config.storage === StorageType.Memory ? 'memory' : 'disk'
}
