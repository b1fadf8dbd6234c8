/** The items that wait for a batch, in the order of their arrival. An item is rejected at its deadline. */
import { Backlog } from './backlog.ts'

export interface WaitingListOptions<Item> {
  readonly lockKeyOf: (item: Item) => string
  readonly sizeOf: (item: Item) => number
  readonly maxItems: number
  readonly maxSize: number
  /**
   * The deadline of the item, by the monotonic clock. An item that would miss it at the present rate of its lock key is
   * rejected at once, and an item that misses it is removed and rejected, both with `BacklogOverrun`. By default items
   * have no deadline.
   */
  readonly dueAtOf?: (item: Item) => number
}

export interface WaitingEntry<Item, Answer> {
  readonly item: Item
  /** The time of arrival, by the monotonic clock. */
  readonly sinceMs: number
  readonly dueAt: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** The item was not written, and will not be. */
export class BacklogOverrun extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'BacklogOverrun'
  }
}

export class WaitingList<Item, Answer> {
  readonly #options: WaitingListOptions<Item>
  readonly #onExpired: () => void
  readonly #backlog: Backlog
  #entries: WaitingEntry<Item, Answer>[] = []
  /** Fires at the earliest deadline. */
  #timer: NodeJS.Timeout | undefined
  #timerAt = Infinity

  constructor(options: WaitingListOptions<Item>, onExpired: () => void) {
    this.#options = options
    this.#onExpired = onExpired
    this.#backlog = new Backlog(options)
  }

  /** Oldest first. */
  get entries(): readonly WaitingEntry<Item, Answer>[] {
    return this.#entries
  }

  add(item: Item): Promise<Answer> {
    const { lockKeyOf, sizeOf, dueAtOf } = this.#options
    const lockKey = lockKeyOf(item)
    const dueAt = dueAtOf?.(item) ?? Infinity
    const sinceMs = performance.now()
    if (sinceMs + this.#backlog.estimateMs(lockKey) > dueAt)
      return Promise.reject(new BacklogOverrun('it would not be written in time'))
    this.#backlog.add(lockKey, sizeOf(item))
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#entries.push({ item, sinceMs, dueAt, resolve, reject })
    this.#expireAt(dueAt)
    return promise
  }

  /** Called when the items are being written. `left` are the remaining entries, in their order. */
  take(items: readonly Item[], left: WaitingEntry<Item, Answer>[]): void {
    this.#entries = left
    const { lockKeyOf, sizeOf } = this.#options
    for (const item of items) this.#backlog.start(lockKeyOf(item), sizeOf(item))
  }

  /** Puts back items that were not written. They come before all other items with the same lock key. */
  putBack(entries: readonly WaitingEntry<Item, Answer>[]): void {
    if (entries.length === 0) return
    this.#entries = [...entries, ...this.#entries]
    for (const { item, dueAt } of entries) {
      this.#backlog.add(this.#options.lockKeyOf(item), this.#options.sizeOf(item))
      this.#expireAt(dueAt)
    }
  }

  /** Called when a batch with items of these lock keys has ended. */
  recordBatch(lockKeys: Iterable<string>, startedAt: number): void {
    const endedAt = performance.now()
    for (const lockKey of lockKeys) this.#backlog.recordBatch(lockKey, startedAt, endedAt)
  }

  #expireAt(dueAt: number): void {
    if (dueAt >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = dueAt
    this.#timer = setTimeout(() => this.#expire(), Math.max(1, dueAt - performance.now()))
    // The timer must not keep the process alive.
    this.#timer.unref()
  }

  #expire(): void {
    this.#timerAt = Infinity
    const now = performance.now()
    const { lockKeyOf, sizeOf } = this.#options
    const late = this.#entries.filter(({ dueAt }) => dueAt <= now)
    if (late.length > 0) this.#entries = this.#entries.filter(({ dueAt }) => dueAt > now)
    for (const { item, reject } of late) {
      this.#backlog.giveUp(lockKeyOf(item), sizeOf(item))
      reject(new BacklogOverrun('it was not written in time'))
    }
    this.#expireAt(this.#entries.reduce((first, { dueAt }) => Math.min(first, dueAt), Infinity))
    if (late.length > 0) this.#onExpired()
  }
}
