/** The tasks no child has in hand: some queues for either lane, of which each waits for the one before. */
import type { Job, JobSlot } from './job.ts'
import { createQueue } from './queue.ts'
import type { Queue } from './queue.ts'

export interface JobQueue<Result> {
  add(job: Job<Result>): void
  /** At the front: it has waited its turn before. */
  putBack(job: Job<Result>): void
  /** In the slow lane those that never failed go first: they may just have had bad luck. */
  take(place: JobSlot): Job<Result> | undefined
  count(place: JobSlot): number
  /** How long nobody has wanted the fast lane. */
  quietMs(): number
  clear(): void
}

/** A longer text takes as long as dozens of letters, so it goes after those, also where its tenant has little under way. */
const SHORT_TEXT = 8_000

export function createWaiting<Result>(): JobQueue<Result> {
  const priority: Queue<Job<Result>> = createQueue()
  const longPriority: Queue<Job<Result>> = createQueue()
  const fast: Queue<Job<Result>> = createQueue()
  const slow: Queue<Job<Result>> = createQueue()
  const failed: Queue<Job<Result>> = createQueue()
  const queueOf = ({ place, task }: Job<Result>) => {
    if (place === 'fast' && !task.priority) return fast
    if (place === 'fast') return task.text.length <= SHORT_TEXT ? priority : longPriority
    return task.failedBefore ? failed : slow
  }
  const lanes = { fast: [priority, longPriority, fast], slow: [slow, failed] }
  let fastWantedMs = 0
  return {
    add(job) {
      if (job.place === 'fast') fastWantedMs = performance.now()
      queueOf(job).add(job)
    },
    putBack: (job) => queueOf(job).putBack(job),
    take: (place) => takeFirst(lanes[place]),
    count: (place) => lanes[place].reduce((total, queue) => total + queue.size(), 0),
    quietMs: () => performance.now() - fastWantedMs,
    clear() {
      for (const queue of [...lanes.fast, ...lanes.slow]) queue.clear()
    },
  }
}

function takeFirst<Item>(queues: readonly Queue<Item>[]): Item | undefined {
  for (const queue of queues) {
    const item = queue.take()
    if (item !== undefined) return item
  }
  return undefined
}
