/** The items that wait for a batch, in the order in which they came. None waits longer than it is worth. */
import { Backlog } from './backlog.ts'

export interface WaitingListOptions<Item> {
  readonly placeOf: (item: Item) => string
  readonly sizeOf: (item: Item) => number
  readonly maxItems: number
  readonly maxSize: number
  /**
   * By the monotonic clock, when the item is worth nothing any more. One that would not be taken by then, at the pace of its place, is
   * refused at once, and one that was not is taken off the list; both by `BacklogOverrun`. Without it, items wait for as long as it takes.
   */
  readonly dueAtOf?: (item: Item) => number
}

export interface WaitingEntry<Item, Answer> {
  readonly item: Item
  /** When it came, by the monotonic clock. */
  readonly sinceMs: number
  readonly dueAt: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** An item was not written and never will be. */
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
  /** Goes off when the first of them is due. */
  #timer: NodeJS.Timeout | undefined
  #timerAt = Infinity

  constructor(options: WaitingListOptions<Item>, onExpired: () => void) {
    this.#options = options
    this.#onExpired = onExpired
    this.#backlog = new Backlog(options)
  }

  /** The oldest first. */
  get entries(): readonly WaitingEntry<Item, Answer>[] {
    return this.#entries
  }

  add(item: Item): Promise<Answer> {
    const { placeOf, sizeOf, dueAtOf } = this.#options
    const place = placeOf(item)
    const dueAt = dueAtOf?.(item) ?? Infinity
    const sinceMs = performance.now()
    if (sinceMs + this.#backlog.estimateMs(place) > dueAt)
      return Promise.reject(new BacklogOverrun('it would not be written in time'))
    this.#backlog.add(place, sizeOf(item))
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#entries.push({ item, sinceMs, dueAt, resolve, reject })
    this.#expireAt(dueAt)
    return promise
  }

  /** These are being written; `left` are the others, in their order. */
  take(items: readonly Item[], left: WaitingEntry<Item, Answer>[]): void {
    this.#entries = left
    const { placeOf, sizeOf } = this.#options
    for (const item of items) this.#backlog.start(placeOf(item), sizeOf(item))
  }

  /** These were not written after all; they came before whatever else waits for the same place. */
  putBack(entries: readonly WaitingEntry<Item, Answer>[]): void {
    if (entries.length === 0) return
    this.#entries = [...entries, ...this.#entries]
    for (const { item, dueAt } of entries) {
      this.#backlog.add(this.#options.placeOf(item), this.#options.sizeOf(item))
      this.#expireAt(dueAt)
    }
  }

  /** A batch with items of these places has ended. */
  recordBatch(places: Iterable<string>, startedAt: number): void {
    const endedAt = performance.now()
    for (const place of places) this.#backlog.recordBatch(place, startedAt, endedAt)
  }

  #expireAt(dueAt: number): void {
    if (dueAt >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = dueAt
    this.#timer = setTimeout(() => this.#expire(), Math.max(1, dueAt - performance.now()))
    // Those that wait keep the process alive by other means.
    this.#timer.unref()
  }

  #expire(): void {
    this.#timerAt = Infinity
    const now = performance.now()
    const { placeOf, sizeOf } = this.#options
    const late = this.#entries.filter(({ dueAt }) => dueAt <= now)
    if (late.length > 0) this.#entries = this.#entries.filter(({ dueAt }) => dueAt > now)
    for (const { item, reject } of late) {
      this.#backlog.giveUp(placeOf(item), sizeOf(item))
      reject(new BacklogOverrun('it was not written in time'))
    }
    this.#expireAt(this.#entries.reduce((first, { dueAt }) => Math.min(first, dueAt), Infinity))
    if (late.length > 0) this.#onExpired()
  }
}
