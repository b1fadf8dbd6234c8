/** The tasks no child has in hand: one queue for each lane. */
import type { Job, Place } from './job.ts'
import { createQueue } from './queue.ts'
import type { Queue } from './queue.ts'

export interface Waiting<Result> {
  add(job: Job<Result>): void
  /** At the front: it has waited its turn before. */
  putBack(job: Job<Result>): void
  take(place: Place): Job<Result> | undefined
  count(place: Place): number
  /** How long nobody has wanted the fast lane. */
  quietMs(): number
  clear(): void
}

export function createWaiting<Result>(): Waiting<Result> {
  const queues: Record<Place, Queue<Job<Result>>> = { fast: createQueue(), slow: createQueue() }
  let fastWantedMs = 0
  return {
    add(job) {
      if (job.place === 'fast') fastWantedMs = performance.now()
      queues[job.place].add(job)
    },
    putBack: (job) => queues[job.place].putBack(job),
    take: (place) => queues[place].take(),
    count: (place) => queues[place].size(),
    quietMs: () => performance.now() - fastWantedMs,
    clear() {
      queues.fast.clear()
      queues.slow.clear()
    },
  }
}
