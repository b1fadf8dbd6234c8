/**
 * A worker: pulls deliveries while it has room, and runs each as one attempt. It keeps the leases of what it has in
 * hand alive, and on stopping finishes that and pulls nothing new.
 *
 * An attempt that has to wait for long is set aside: it takes no room then, up to a bound, so that a few hundred
 * documents that nobody can read do not keep the others from being pulled.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { AttemptEnd } from '../domain/attempt-end.ts'
import type { RuntimeTarget } from '../domain/runtime.ts'
import type { Part } from '../platform/lifecycle.ts'
import type { Log } from '../platform/log.ts'
import type { Delivery } from './delivery.ts'

export interface WorkerDeps {
  readonly receive: (max: number, withinMs: number, handle: (delivery: Delivery) => void) => Promise<number>
  /** May call `setAside` once it knows that it will take long. */
  readonly attempt: (delivery: Delivery, setAside: () => void) => Promise<AttemptEnd>
  readonly capacity: number
  /** So many of those set aside take no room. */
  readonly capacityAside: number
  readonly renewEveryMs: number
  readonly log: Log
}

export interface Worker extends Part {
  readonly counts: Readonly<Record<AttemptEnd, number>>
  inHand(): number
  /** Since a document came to its end here; null when none did yet. */
  sinceCompletionMs(): number | null
  /** Whether a switch is above anything in hand; that of the service is above everything. */
  isConcerned(target: RuntimeTarget): boolean
}

const RECEIVE_MS = 1_000

export function createWorker(deps: WorkerDeps): Worker {
  const inHand = new Set<Delivery>()
  const aside = new Set<Delivery>()
  const ends = createEnds()
  const stopping = new AbortController()
  let room = Promise.withResolvers<void>()
  let pulling: Promise<void> | undefined
  let renewal: NodeJS.Timeout | undefined

  const takenRoom = () => inHand.size - Math.min(aside.size, deps.capacityAside)

  async function work(delivery: Delivery): Promise<void> {
    const end = await deps.attempt(delivery, () => {
      aside.add(delivery)
      room.resolve()
    })
    ends.note(end)
    inHand.delete(delivery)
    aside.delete(delivery)
    room.resolve()
  }

  function take(delivery: Delivery): void {
    inHand.add(delivery)
    void work(delivery)
  }

  async function pull(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Half empty, so that a pull fetches many at once instead of one by one.
      if (takenRoom() > deps.capacity / 2) {
        room = Promise.withResolvers<void>()
        // oxlint-disable-next-line no-await-in-loop -- waits for room
        await Promise.race([room.promise, delay(RECEIVE_MS)])
        continue
      }
      // oxlint-disable-next-line no-await-in-loop -- one pull after the other
      await receiveOnce()
    }
  }

  async function receiveOnce(): Promise<void> {
    try {
      await deps.receive(deps.capacity - takenRoom(), RECEIVE_MS, take)
    } catch (error) {
      deps.log.warn({ err: error }, 'pulling work failed; it is tried again')
      await delay(500)
    }
  }

  return {
    name: 'worker',
    stopWithinMs: 20_000,
    counts: ends.counts,
    inHand: () => inHand.size,
    sinceCompletionMs: ends.sinceCompletionMs,
    isConcerned: (target) =>
      target.level === 'service' || [...inHand].some(({ note }) => isBelow(target, note)),
    async start() {
      pulling = pull()
      renewal = setInterval(() => {
        for (const delivery of inHand) delivery.working()
      }, deps.renewEveryMs)
    },
    async stop() {
      stopping.abort()
      await pulling
      while (inHand.size > 0) {
        // oxlint-disable-next-line no-await-in-loop -- until the last one is done
        await delay(20)
      }
      clearInterval(renewal)
    },
  }
}

/** The document is done with, one way or the other. */
const COMPLETIONS: ReadonlySet<AttemptEnd> = new Set(['processed', 'failed', 'exhausted'])

function createEnds() {
  const counts: Record<AttemptEnd, number> = {
    processed: 0,
    failed: 0,
    retried: 0,
    stale: 0,
    exhausted: 0,
    paused: 0,
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
