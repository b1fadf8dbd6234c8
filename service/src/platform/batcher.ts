/**
 * Group commit in the application. Items that arrive while a batch is being written go into the next one, so that many
 * callers share one statement and one sync of the disk. An idle batcher writes at once; only bulk batches wait for a timer.
 */
import { createLockedKeys } from './locked-keys.ts'
import type { LockedKeys } from './locked-keys.ts'
import { WaitingList } from './waiting-list.ts'
import type { WaitingEntry, WaitingListOptions } from './waiting-list.ts'

export interface BatcherOptions<Item, Answer> extends WaitingListOptions<Item> {
  /** Resolves with the answers in the order of the items. A rejection means that none of them was written. */
  readonly write: (items: readonly Item[]) => Promise<readonly Answer[]>
  /** The number of batches in flight at the same time. */
  readonly concurrency: number
  /** The number of bulk batches in flight at the same time; by default one less than `concurrency`. */
  readonly bulkConcurrency?: number
  /**
   * The minimum time between two bulk batches. Each statement has a fixed cost, and waiting lets more items share it.
   */
  readonly bulkIntervalMs?: number
  /** Whether writing the items one by one may succeed where the batch failed. */
  readonly retryIndividually: (error: unknown) => boolean
  /**
   * True if another process held the lock, so the item was not written. It is retried in a batch of its lock key alone.
   */
  readonly isBusy?: (answer: Answer) => boolean
  /** How long a busy item is retried. After that the caller gets the busy answer. */
  readonly maxBusyMs?: number
}

export interface Batcher<Item, Answer> {
  write(item: Item): Promise<Answer>
  /** Resolves when nothing is waiting and nothing is in flight. */
  drain(): Promise<void>
}

export function createBatcher<Item, Answer>(options: BatcherOptions<Item, Answer>): Batcher<Item, Answer> {
  const maxBulk = Math.max(1, options.bulkConcurrency ?? options.concurrency - 1)
  const maxOthers = Math.max(1, options.concurrency - maxBulk)
  const list = new WaitingList<Item, Answer>(options, () => drain.look())
  const drain = createDrain(() => inFlight === 0 && list.isEmpty)
  let inFlight = 0
  let bulkInFlight = 0
  const interval = createInterval(options.bulkIntervalMs ?? 0, () => schedule())
  let scheduled = false
  const locked = createLockedKeys(() => schedule())

  function schedule(): void {
    if (scheduled || inFlight >= options.concurrency || list.isEmpty) return
    scheduled = true
    // Runs after the events that are already due, so that requests which arrived together share a batch.
    setImmediate(start)
  }

  function start(): void {
    scheduled = false
    const taken = takeTurn()
    if (!taken) return
    const startedAt = performance.now()
    inFlight += 1
    if (taken.isAlone) locked.isRetrying = true
    if (taken.isBulk) {
      bulkInFlight += 1
      interval.start()
    }
    void writeBatch(options, taken.batch).then((busyOnes) => finish(taken, busyOnes, startedAt))
    schedule()
  }

  /** Takes a locked key to retry, else small keys, else bulk keys. Each kind has batches of its own, so neither starves. */
  function takeTurn(): Turn<Item, Answer> | undefined {
    const due = takeLockedKey(list, locked)
    if (due) return { batch: due, isBulk: false, isAlone: true }
    const hasBulk = list.hasBulk(locked.has)
    const isEarly = hasBulk && interval.isRunning()
    const mayTake = (isBulk: boolean) =>
      isBulk ? bulkInFlight < maxBulk && !isEarly : !hasBulk || inFlight - bulkInFlight < maxOthers
    for (const isBulk of [false, true]) {
      if (!mayTake(isBulk)) continue
      const batch = list.take(isBulk, locked.has)
      if (batch.length > 0) return { batch, isBulk, isAlone: false }
    }
    return undefined
  }

  function finish(turn: Turn<Item, Answer>, busyOnes: WaitingEntry<Item, Answer>[], startedAt: number): void {
    inFlight -= 1
    if (turn.isBulk) bulkInFlight -= 1
    if (turn.isAlone) locked.isRetrying = false
    locked.update(
      turn.batch.map(({ lockKey }) => lockKey),
      new Set(busyOnes.map(({ lockKey }) => lockKey)),
    )
    list.finish(turn.batch, busyOnes, startedAt)
    schedule()
    drain.look()
  }

  return {
    write(item) {
      const answer = list.add(item)
      schedule()
      return answer
    },
    drain: drain.wait,
  }
}

/** Resolves the calls of `drain` when nothing is left. */
function createDrain(isEmpty: () => boolean) {
  let drained: (() => void)[] = []
  return {
    wait: () =>
      new Promise<void>((resolve) => {
        if (isEmpty()) resolve()
        else drained.push(resolve)
      }),
    look(): void {
      if (!isEmpty()) return
      for (const resolve of drained) resolve()
      drained = []
    },
  }
}

/** Takes only the items of one locked key that is due, so that its lock delays no other key. */
function takeLockedKey<Item, Answer>(
  list: WaitingList<Item, Answer>,
  locked: LockedKeys,
): WaitingEntry<Item, Answer>[] | undefined {
  const due = locked.next()
  if (due === undefined) return undefined
  const batch = list.takeLockKey(due)
  if (batch.length > 0) return batch
  locked.forget(due)
  return undefined
}

/** Calls `wake` when the interval ends, if `isRunning` was called meanwhile. */
function createInterval(intervalMs: number, wake: () => void) {
  let dueMs = 0
  let alarm: NodeJS.Timeout | undefined
  return {
    start: () => void (dueMs = performance.now() + intervalMs),
    isRunning(): boolean {
      const leftMs = dueMs - performance.now()
      if (leftMs <= 0) return false
      alarm ??= setTimeout(() => {
        alarm = undefined
        wake()
      }, leftMs)
      return true
    },
  }
}

interface Turn<Item, Answer> {
  readonly batch: WaitingEntry<Item, Answer>[]
  readonly isBulk: boolean
  /** True for a retry of a locked key. */
  readonly isAlone: boolean
}

/** Writes the batch and answers its items. Returns the busy items that may wait longer. */
async function writeBatch<Item, Answer>(
  options: BatcherOptions<Item, Answer>,
  batch: readonly WaitingEntry<Item, Answer>[],
): Promise<WaitingEntry<Item, Answer>[]> {
  const { isBusy = () => false, maxBusyMs = 0 } = options
  try {
    const answers = await options.write(batch.map(({ item }) => item))
    if (answers.length !== batch.length) throw new Error('a batch was answered in part')
    const waitsOn: WaitingEntry<Item, Answer>[] = []
    for (const [index, answer] of answers.entries()) {
      const entry = batch[index]
      if (entry && isBusy(answer) && performance.now() - entry.sinceMs < maxBusyMs) waitsOn.push(entry)
      else entry?.resolve(answer)
    }
    return waitsOn
  } catch (error) {
    // One item that cannot be written must not fail the others of its batch.
    if (batch.length > 1 && options.retryIndividually(error))
      return (await Promise.all(batch.map((entry) => writeBatch(options, [entry])))).flat()
    for (const entry of batch) entry.reject(error)
    return []
  }
}
