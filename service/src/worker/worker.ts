/**
 * A worker: pulls deliveries while it has room, and runs each as one attempt. It keeps the leases of what it has in
 * hand alive, and on stopping finishes that and pulls nothing new.
 *
 * An attempt that has to wait for long is set aside: it takes no room then, up to a bound, so that a few hundred
 * documents that nobody can read do not keep the others from being pulled.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { COMPLETIONS } from '../domain/attempt-end.ts'
import type { AttemptEnd } from '../domain/attempt-end.ts'
import type { RuntimeTarget } from '../domain/runtime.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { Delivery, DeliveryQueue } from './delivery.ts'
import { createHands } from './hands.ts'
import type { Hands, Oldest } from './hands.ts'
import type { OutageTracker } from './outage.ts'

export interface WorkerDeps {
  readonly receive: (
    line: DeliveryQueue,
    max: number,
    withinMs: number,
    handle: (delivery: Delivery) => void,
  ) => Promise<number>
  readonly attempt: (delivery: Delivery, progress: Progress) => Promise<AttemptEnd>
  readonly capacity: number
  /** So many of those set aside take no room. */
  readonly capacityAside: number
  readonly renewEveryMs: number
  /** While it lasts nothing is pulled. */
  readonly outage?: Pick<OutageTracker, 'over' | 'end'>
  readonly log: Log
}

/** The progress of an attempt while it is made. */
export interface Progress {
  /** It is this attempt of its document. */
  claimed(attempt: number): void
  /** It will take long. */
  setAside(): void
  /** Aborted when the worker stops. */
  readonly stopping: AbortSignal
}

export interface Worker extends Part {
  readonly counts: Readonly<Record<AttemptEnd, number>>
  readonly capacity: number
  inHand(): number
  /** The attempt that has been in flight longest. */
  oldest(): Oldest | undefined
  /** Room that was taken, times how long it was, since the start. */
  busyMs(): number
  /** Since a document came to its end here; null when none did yet. */
  sinceCompletionMs(): number | null
  /** Whether a switch is above anything in hand; that of the service is above everything. */
  isConcerned(target: RuntimeTarget): boolean
}

const RECEIVE_MS = 1_000
/** So many of the express line are taken up even when there is no room: they wait for nobody else's documents. */
const EXPRESS_ROOM = 8

export function createWorker(deps: WorkerDeps): Worker {
  const hands = createHands(deps.capacity, deps.capacityAside)
  const ends = createEnds()
  const stopping = new AbortController()
  let room = Promise.withResolvers<void>()
  let pulling: Promise<unknown> | undefined
  let renewal: NodeJS.Timeout | undefined

  async function work(delivery: Delivery): Promise<void> {
    const end = await deps.attempt(delivery, {
      claimed: (attempt) => hands.claimed(delivery, attempt),
      setAside() {
        hands.setAside(delivery)
        noteRoom()
      },
      stopping: stopping.signal,
    })
    ends.note(end)
    hands.drop(delivery)
    noteRoom()
  }

  function noteRoom(): void {
    room.resolve()
    room = Promise.withResolvers<void>()
  }

  function take(delivery: Delivery): void {
    hands.take(delivery)
    void work(delivery)
  }

  const pullLine = (line: DeliveryQueue) =>
    pull({
      ...deps,
      line,
      take,
      stopping: stopping.signal,
      most: () => roomFor(line, deps, hands),
      room: () => room.promise,
    })

  return {
    name: 'worker',
    stopWithinMs: 20_000,
    counts: ends.counts,
    capacity: deps.capacity,
    inHand: hands.size,
    oldest: hands.oldest,
    busyMs: hands.busyMs,
    sinceCompletionMs: ends.sinceCompletionMs,
    isConcerned: (target) =>
      target.level === 'service' || [...hands.deliveries()].some(({ note }) => isBelow(target, note)),
    async start() {
      pulling = Promise.all([pullLine('common'), pullLine('express')])
      renewal = setInterval(() => {
        for (const delivery of hands.deliveries()) delivery.working()
      }, deps.renewEveryMs)
    },
    async stop() {
      stopping.abort()
      deps.outage?.end()
      await pulling
      while (hands.size() > 0) {
        // oxlint-disable-next-line no-await-in-loop -- until the last one is done
        await delay(20)
      }
      clearInterval(renewal)
    },
  }
}

/** How many more of a line may be taken up now. */
function roomFor(line: DeliveryQueue, { capacity }: WorkerDeps, hands: Hands): number {
  const free = capacity - hands.takenRoom()
  if (line === 'express') return Math.max(0, free, EXPRESS_ROOM - hands.expressSize())
  // A quarter empty, so that a pull fetches several at once instead of one by one.
  return free >= capacity * 0.25 ? free : 0
}

interface Pull extends Pick<WorkerDeps, 'receive' | 'outage' | 'log'> {
  readonly line: DeliveryQueue
  readonly stopping: AbortSignal
  readonly take: (delivery: Delivery) => void
  readonly most: () => number
  /** Something has ended. */
  readonly room: () => Promise<void>
}

async function pull({ receive, outage, log, line, stopping, take, most, room }: Pull): Promise<void> {
  while (!stopping.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one pull after the other
    await outage?.over()
    // Which may have been for a long time.
    if (stopping.aborted) return
    const max = most()
    // oxlint-disable-next-line no-await-in-loop -- one pull after the other
    if (max === 0) await Promise.race([room(), delay(RECEIVE_MS)])
    else {
      // oxlint-disable-next-line no-await-in-loop -- one pull after the other
      await receive(line, max, RECEIVE_MS, take).catch(async (error: unknown) => {
        log.warn({ err: error }, 'pulling work failed; it is tried again')
        await delay(500)
      })
    }
  }
}

function createEnds() {
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
    note(end: AttemptEnd): void {
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
