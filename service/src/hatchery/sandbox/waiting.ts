/** The tasks no child has in hand: two queues for either lane, of which the second waits for the first. */
import type { Job, Place } from './job.ts'
import { createQueue } from './queue.ts'
import type { Queue } from './queue.ts'

export interface Waiting<Result> {
  add(job: Job<Result>): void
  /** At the front: it has waited its turn before. */
  putBack(job: Job<Result>): void
  /** In the slow lane those that never failed go first: they may just have had bad luck. */
  take(place: Place): Job<Result> | undefined
  count(place: Place): number
  /** How long nobody has wanted the fast lane. */
  quietMs(): number
  clear(): void
}

export function createWaiting<Result>(): Waiting<Result> {
  const express: Queue<Job<Result>> = createQueue()
  const fast: Queue<Job<Result>> = createQueue()
  const slow: Queue<Job<Result>> = createQueue()
  const failed: Queue<Job<Result>> = createQueue()
  const queueOf = ({ place, task }: Job<Result>) => {
    if (place === 'fast') return task.express ? express : fast
    return task.failedBefore ? failed : slow
  }
  let fastWantedMs = 0
  return {
    add(job) {
      if (job.place === 'fast') fastWantedMs = performance.now()
      queueOf(job).add(job)
    },
    putBack: (job) => queueOf(job).putBack(job),
    take: (place) => (place === 'fast' ? (express.take() ?? fast.take()) : (slow.take() ?? failed.take())),
    count: (place) => (place === 'fast' ? express.size() + fast.size() : slow.size() + failed.size()),
    quietMs: () => performance.now() - fastWantedMs,
    clear() {
      for (const queue of [express, fast, slow, failed]) queue.clear()
    },
  }
}
