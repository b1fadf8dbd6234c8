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
  /** Items that share an order key are written one after the other, in the order of their arrival. */
  readonly orderKeysOf: (item: Item) => readonly string[]
  /**
   * Names the lock that writing the item takes. Batches in flight share no lock key, because one would only wait for
   * the other.
   */
  readonly lockKeyOf: (item: Item) => string
  /** The number of batches in flight at the same time. */
  readonly concurrency: number
  /**
   * A lock key with at least this many waiting items is a bulk key. Bulk keys go into separate batches, so that a caller
   * with few items never waits for the locks of one with many. The lowest threshold of the items applies.
   */
  readonly bulkThreshold?: (item: Item) => number
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
  const drain = createDrain(() => inFlight === 0 && list.entries.length === 0)
  let inFlight = 0
  let bulkInFlight = 0
  const interval = createInterval(options.bulkIntervalMs ?? 0, () => schedule())
  let scheduled = false
  const locked = createLockedKeys(() => schedule())
  /** The order keys and lock keys of the batches in flight. */
  const busy: Busy = { keys: new Set(), lockKeys: new Set() }

  function schedule(): void {
    if (scheduled || inFlight >= options.concurrency || list.entries.length === 0) return
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
    const items = taken.batch.map(({ item }) => item)
    list.take(items, taken.left)
    occupy(options, busy, items)
    void writeBatch(options, taken.batch).then((busyOnes) => finish(taken, busyOnes, startedAt))
    schedule()
  }

  /** Takes a locked key to retry, else small keys, else bulk keys. Each kind has batches of its own, so neither starves. */
  function takeTurn(): Turn<Item, Answer> | undefined {
    const alone = takeAlone(options, list.entries, busy, locked)
    if (alone) return alone
    const bulk = findBulkKeys(options, list.entries, busy, locked.has)
    const isEarly = bulk.size > 0 && interval.isRunning()
    const mayTake = (isBulk: boolean) =>
      isBulk ? bulkInFlight < maxBulk && !isEarly : bulk.size === 0 || inFlight - bulkInFlight < maxOthers
    const isFree = (isBulk: boolean) => (lockKey: string) =>
      !locked.has(lockKey) && bulk.has(lockKey) === isBulk
    for (const isBulk of [false, true]) {
      if (!mayTake(isBulk)) continue
      const taken = takeBatch(options, list.entries, busy, isFree(isBulk))
      if (taken.batch.length > 0) return { ...taken, isBulk, isAlone: false }
    }
    return undefined
  }

  function finish(turn: Turn<Item, Answer>, busyOnes: WaitingEntry<Item, Answer>[], startedAt: number): void {
    const items = turn.batch.map(({ item }) => item)
    inFlight -= 1
    if (turn.isBulk) bulkInFlight -= 1
    if (turn.isAlone) locked.isRetrying = false
    locked.update(items.map(options.lockKeyOf), new Set(busyOnes.map(({ item }) => options.lockKeyOf(item))))
    // They arrived before all other waiting items with the same lock key.
    list.putBack(busyOnes)
    list.recordBatch(vacate(options, busy, items), startedAt)
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
function takeAlone<Item, Answer>(
  options: BatcherOptions<Item, Answer>,
  waiting: readonly WaitingEntry<Item, Answer>[],
  busy: Busy,
  locked: LockedKeys,
): Turn<Item, Answer> | undefined {
  const due = locked.next()
  if (due === undefined) return undefined
  const taken = takeBatch(options, waiting, busy, (lockKey) => lockKey === due)
  if (taken.batch.length > 0) return { ...taken, isBulk: false, isAlone: true }
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

interface Busy {
  readonly keys: Set<string>
  readonly lockKeys: Set<string>
}

function occupy<Item, Answer>(
  { orderKeysOf, lockKeyOf }: BatcherOptions<Item, Answer>,
  busy: Busy,
  items: readonly Item[],
): void {
  for (const key of items.flatMap(orderKeysOf)) busy.keys.add(key)
  for (const item of items) busy.lockKeys.add(lockKeyOf(item))
}

/** Frees the order keys and lock keys of the items, and returns the lock keys. */
function vacate<Item, Answer>(
  { orderKeysOf, lockKeyOf }: BatcherOptions<Item, Answer>,
  busy: Busy,
  items: readonly Item[],
): ReadonlySet<string> {
  const lockKeys = new Set(items.map(lockKeyOf))
  for (const key of items.flatMap(orderKeysOf)) busy.keys.delete(key)
  for (const lockKey of lockKeys) busy.lockKeys.delete(lockKey)
  return lockKeys
}

interface TakenItems<Item, Answer> {
  readonly batch: WaitingEntry<Item, Answer>[]
  readonly left: WaitingEntry<Item, Answer>[]
}

interface Turn<Item, Answer> extends TakenItems<Item, Answer> {
  readonly isBulk: boolean
  /** True for a retry of a locked key. */
  readonly isAlone: boolean
}

/** Returns the bulk keys among the lock keys that are neither in flight nor locked. */
function findBulkKeys<Item, Answer>(
  { lockKeyOf, bulkThreshold }: BatcherOptions<Item, Answer>,
  waiting: readonly WaitingEntry<Item, Answer>[],
  { lockKeys }: Busy,
  isLocked: (lockKey: string) => boolean,
): ReadonlySet<string> {
  if (!bulkThreshold) return NO_KEYS
  const counts = new Map<string, { count: number; from: number }>()
  for (const { item } of waiting) {
    const lockKey = lockKeyOf(item)
    if (lockKeys.has(lockKey) || isLocked(lockKey)) continue
    const { count, from } = counts.get(lockKey) ?? { count: 0, from: Infinity }
    counts.set(lockKey, { count: count + 1, from: Math.min(from, bulkThreshold(item)) })
  }
  return new Set([...counts].filter(([, { count, from }]) => count >= from).map(([lockKey]) => lockKey))
}

const NO_KEYS: ReadonlySet<string> = new Set()

function takeBatch<Item, Answer>(
  { orderKeysOf, lockKeyOf, sizeOf, maxItems, maxSize }: BatcherOptions<Item, Answer>,
  waiting: readonly WaitingEntry<Item, Answer>[],
  busy: Busy,
  isWanted: (lockKey: string) => boolean,
): TakenItems<Item, Answer> {
  const batch: WaitingEntry<Item, Answer>[] = []
  const left: WaitingEntry<Item, Answer>[] = []
  const seen = new Set(busy.keys)
  let size = 0
  for (const entry of waiting) {
    const keys = orderKeysOf(entry.item)
    const full = batch.length >= maxItems || (batch.length > 0 && size + sizeOf(entry.item) > maxSize)
    const lockKey = lockKeyOf(entry.item)
    const clash = !isWanted(lockKey) || busy.lockKeys.has(lockKey) || keys.some((key) => seen.has(key))
    // An item that stays behind keeps later items with the same key behind too, so that they keep their order.
    for (const key of keys) seen.add(key)
    if (full || clash) left.push(entry)
    else {
      batch.push(entry)
      size += sizeOf(entry.item)
    }
  }
  return { batch, left }
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
