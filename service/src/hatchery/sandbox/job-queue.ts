/** The jobs that no child has in flight. Each pool has several queues, in order of priority. */
import type { Job, PoolName } from './job.ts'
import { createQueue } from './queue.ts'
import type { Queue } from './queue.ts'

export interface JobQueue<Result> {
  add(job: Job<Result>): void
  /** Adds the job at the front, because it has waited before. */
  putBack(job: Job<Result>): void
  /** In the slow pool, documents that never failed go first: their first pass may just have been unlucky. */
  take(pool: PoolName): Job<Result> | undefined
  /** Takes a short text of a tenant that has few documents in flight. */
  takeShortPriority(): Job<Result> | undefined
  count(pool: PoolName): number
  /** The time since a job was added to the fast pool. */
  quietMs(): number
  clear(): void
}

/**
 * A longer text takes as long as dozens of letters, so it goes after those, also if its tenant has few documents in
 * flight.
 */
const SHORT_TEXT = 8_000

export function createJobQueue<Result>(): JobQueue<Result> {
  const priority: Queue<Job<Result>> = createQueue()
  const longPriority: Queue<Job<Result>> = createQueue()
  const fast: Queue<Job<Result>> = createQueue()
  const slow: Queue<Job<Result>> = createQueue()
  const failed: Queue<Job<Result>> = createQueue()
  const queueOf = ({ pool, task }: Job<Result>) => {
    if (pool === 'fast' && !task.priority) return fast
    if (pool === 'fast') return task.text.length <= SHORT_TEXT ? priority : longPriority
    return task.failedBefore ? failed : slow
  }
  const pools = { fast: [priority, longPriority, fast], slow: [slow, failed] }
  let fastWantedMs = 0
  return {
    add(job) {
      if (job.pool === 'fast') fastWantedMs = performance.now()
      queueOf(job).add(job)
    },
    putBack: (job) => queueOf(job).putBack(job),
    take: (pool) => takeFirst(pools[pool]),
    takeShortPriority: () => priority.take(),
    count: (pool) => pools[pool].reduce((total, queue) => total + queue.size(), 0),
    quietMs: () => performance.now() - fastWantedMs,
    clear() {
      for (const queue of [...pools.fast, ...pools.slow]) queue.clear()
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
