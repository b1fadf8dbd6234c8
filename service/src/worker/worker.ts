/**
 * A worker pulls deliveries while it has capacity, and runs each as one attempt. It renews the leases of the deliveries in
 * flight. When it stops, it finishes them and pulls nothing new.
 *
 * An attempt that has to wait for long is parked. Up to a bound, parked attempts use no capacity, so that a few hundred
 * documents that take long do not keep the others from being pulled.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { COMPLETIONS } from '../domain/attempt-end.ts'
import type { AttemptEnd } from '../domain/attempt-end.ts'
import type { RuntimeTarget } from '../domain/runtime.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { DatabaseBreaker } from './database-breaker.ts'
import type { Delivery, DeliveryQueue } from './delivery.ts'
import { createInFlight } from './in-flight.ts'
import type { InFlight, OldestDelivery } from './in-flight.ts'

export interface WorkerDeps {
  readonly receive: (
    queue: DeliveryQueue,
    max: number,
    withinMs: number,
    handle: (delivery: Delivery) => void,
  ) => Promise<number>
  readonly attempt: (delivery: Delivery, progress: Progress) => Promise<AttemptEnd>
  readonly capacity: number
  /** Up to this many parked attempts use no capacity. */
  readonly maxParked: number
  /** Parked attempts beyond these bytes of documents use capacity. */
  readonly maxParkedBytes: number
  readonly renewEveryMs: number
  /** While it is open the worker pulls nothing. */
  readonly breaker?: Pick<DatabaseBreaker, 'closed' | 'stop'>
  readonly log: Log
}

/** The callbacks by which an attempt reports its progress. */
export interface Progress {
  /** The attempt has begun; it has this number, and its document takes these bytes of memory. */
  started(attempt: number, bytes: number): void
  /** The attempt will take long. */
  park(): void
  /** The attempt waits to be compared behind others that are heavy, so another priority document may begin. */
  yieldPriority(): void
  /** Aborted when the worker stops. */
  readonly stopping: AbortSignal
}

export interface Worker extends Part {
  readonly counts: Readonly<Record<AttemptEnd, number>>
  readonly capacity: number
  inFlight(): number
  oldest(): OldestDelivery | undefined
  /** The used capacity times the time it was used, since the start. */
  busyMs(): number
  /** The time since a document reached its end in this worker; null before the first one. */
  sinceCompletionMs(): number | null
  /** Whether the target covers a document in flight. The service covers every document. */
  isConcerned(target: RuntimeTarget): boolean
}

const RECEIVE_MS = 1_000
/** Always accept up to this many priority documents, even at capacity, so they never wait behind another tenant's backlog. */
const PRIORITY_CAPACITY = 8
/** Priority documents that wait to be compared make room for others until this many times the capacity is in flight. */
const MAX_OVER_CAPACITY = 2

export function createWorker(deps: WorkerDeps): Worker {
  const inFlight = createInFlight(deps.capacity, deps)
  const ends = createEndCounter()
  const stopping = new AbortController()
  let capacityFreed = Promise.withResolvers<void>()
  let pulling: Promise<unknown> | undefined
  let renewal: NodeJS.Timeout | undefined

  async function work(delivery: Delivery): Promise<void> {
    const end = await deps.attempt(delivery, {
      started: (attempt, bytes) => inFlight.started(delivery, attempt, bytes),
      park() {
        inFlight.park(delivery)
        announceCapacity()
      },
      yieldPriority() {
        // Each holds its claims in memory until they are compared.
        if (inFlight.size() > MAX_OVER_CAPACITY * deps.capacity) return
        inFlight.yieldPriority(delivery)
        announceCapacity()
      },
      stopping: stopping.signal,
    })
    ends.add(end)
    inFlight.remove(delivery)
    announceCapacity()
  }

  function announceCapacity(): void {
    capacityFreed.resolve()
    capacityFreed = Promise.withResolvers<void>()
  }

  function begin(delivery: Delivery): void {
    inFlight.add(delivery)
    void work(delivery)
  }

  const pullFrom = (queue: DeliveryQueue) =>
    pull({
      ...deps,
      queue,
      begin,
      stopping: stopping.signal,
      freeCapacity: () => freeCapacityFor(queue, deps, inFlight),
      capacityFreed: () => capacityFreed.promise,
    })

  return {
    name: 'worker',
    stopWithinMs: 20_000,
    counts: ends.counts,
    capacity: deps.capacity,
    inFlight: inFlight.size,
    oldest: inFlight.oldest,
    busyMs: inFlight.busyMs,
    sinceCompletionMs: ends.sinceCompletionMs,
    isConcerned: (target) =>
      target.level === 'service' ||
      [...inFlight.deliveries()].some(({ message }) => isBelow(target, message)),
    async start() {
      pulling = Promise.all([pullFrom('standard'), pullFrom('priority')])
      renewal = setInterval(() => {
        for (const delivery of inFlight.deliveries()) delivery.working()
      }, deps.renewEveryMs)
    },
    async stop() {
      stopping.abort()
      deps.breaker?.stop()
      await pulling
      while (inFlight.size() > 0) {
        // oxlint-disable-next-line no-await-in-loop -- until the last attempt has ended
        await delay(20)
      }
      clearInterval(renewal)
    },
  }
}

/** How many more deliveries of a queue the worker may take now. */
function freeCapacityFor(queue: DeliveryQueue, { capacity }: WorkerDeps, inFlight: InFlight): number {
  const free = capacity - inFlight.usedCapacity()
  if (queue === 'priority') return Math.max(0, free, PRIORITY_CAPACITY - inFlight.prioritySize())
  // A pull waits until a quarter is free, so that it fetches several deliveries at once.
  return free >= capacity * 0.25 ? free : 0
}

interface Pull extends Pick<WorkerDeps, 'receive' | 'breaker' | 'log'> {
  readonly queue: DeliveryQueue
  readonly stopping: AbortSignal
  readonly begin: (delivery: Delivery) => void
  readonly freeCapacity: () => number
  /** Resolves when an attempt has ended or was parked. */
  readonly capacityFreed: () => Promise<void>
}

async function pull({ receive, breaker, log, queue, stopping, begin, ...capacity }: Pull): Promise<void> {
  while (!stopping.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one pull after the other
    await breaker?.closed()
    // The breaker may have been open for long.
    if (stopping.aborted) return
    const max = capacity.freeCapacity()
    // oxlint-disable-next-line no-await-in-loop -- one pull after the other
    if (max === 0) await Promise.race([capacity.capacityFreed(), delay(RECEIVE_MS)])
    else {
      // oxlint-disable-next-line no-await-in-loop -- one pull after the other
      await receive(queue, max, RECEIVE_MS, begin).catch(async (error: unknown) => {
        log.warn({ err: error }, 'pulling work failed and is retried')
        await delay(500)
      })
    }
  }
}

function createEndCounter() {
  const counts: Record<AttemptEnd, number> = {
    processed: 0,
    failed: 0,
    retried: 0,
    stale: 0,
    held: 0,
    exhausted: 0,
    paused: 0,
    deferred: 0,
    abandoned: 0,
  }
  let completedAt: number | undefined
  return {
    counts,
    add(end: AttemptEnd): void {
      counts[end] += 1
      if (COMPLETIONS.has(end)) completedAt = performance.now()
    },
    sinceCompletionMs: () => (completedAt === undefined ? null : performance.now() - completedAt),
  }
}

function isBelow(
  target: Exclude<RuntimeTarget, { level: 'service' }>,
  place: { tenantId: string; scopeId: string },
): boolean {
  return target.tenantId === place.tenantId && (target.level === 'tenant' || target.scopeId === place.scopeId)
}
