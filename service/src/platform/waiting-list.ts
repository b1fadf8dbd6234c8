/**
 * The items that wait for a batch, by lock key and owner. A batch costs as much as it holds, not as much as is waiting. An item is
 * rejected at its deadline.
 */
import { Backlog } from './backlog.ts'
import { LockGroupTurns } from './lock-group-turns.ts'
import { OrderKeys } from './order-keys.ts'

export interface WaitingListOptions<Item> {
  /** Items that share an order key are written one after the other, in the order of their arrival. */
  readonly orderKeysOf: (item: Item) => readonly string[]
  /**
   * Names the lock that writing the item takes. Batches in flight share no lock key, because one would only wait for
   * the other.
   */
  readonly lockKeyOf: (item: Item) => string
  /** Owners (tenants) take turns, and so do the lock keys of one owner. By default all items have the same owner. */
  readonly ownerOf?: (item: Item) => string
  /** An item of an owner with this many waiting items is rejected at once with `BacklogOverrun`. By default there is no limit. */
  readonly maxWaitingPerOwner?: number
  readonly sizeOf: (item: Item) => number
  readonly maxItems: number
  readonly maxSize: number
  /**
   * A lock key with at least this many waiting items is a bulk key. Bulk keys go into separate batches, so that a caller
   * with few items never waits for the locks of one with many. The lowest threshold of the items applies.
   */
  readonly bulkThreshold?: (item: Item) => number
  /**
   * The deadline of the item, by the monotonic clock. An item that would miss it at the present rate of its lock key is
   * rejected at once, and an item that misses it is removed and rejected, both with `BacklogOverrun`. By default items
   * have no deadline.
   */
  readonly dueAtOf?: (item: Item) => number
}

export interface WaitingEntry<Item, Answer> {
  readonly item: Item
  readonly lockKey: string
  /** The time of arrival, by the monotonic clock. */
  readonly sinceMs: number
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

interface ListedEntry<Item, Answer> extends WaitingEntry<Item, Answer> {
  /** The number of entries that came before it. */
  readonly order: number
  readonly orderKeys: readonly string[]
  readonly size: number
  readonly threshold: number
  readonly dueAt: number
}

interface LockGroup<Entry> {
  readonly lockKey: string
  readonly owner: string
  /** In the order of arrival. The other waiting items wait for one with the same order key. */
  ready: Entry[]
  waiting: number
  /** By bulk threshold, how many waiting items have it. */
  readonly thresholds: Map<number, number>
  isInFlight: boolean
  /** The turns that it is listed in, if any. */
  turns: LockGroupTurns<LockGroup<Entry>> | undefined
}

/** The item was not written, and will not be. */
export class BacklogOverrun extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'BacklogOverrun'
  }
}

/** The shortest time between two searches of all items for late ones. */
const MIN_EXPIRE_MS = 50

export class WaitingList<Item, Answer> {
  readonly #options: WaitingListOptions<Item>
  readonly #onExpired: () => void
  readonly #backlog: Backlog
  readonly #entries = new Set<ListedEntry<Item, Answer>>()
  readonly #order = new OrderKeys<ListedEntry<Item, Answer>>()
  readonly #groups = new Map<string, LockGroup<ListedEntry<Item, Answer>>>()
  readonly #waitingByOwner = new Map<string, number>()
  readonly #bulk = new LockGroupTurns<LockGroup<ListedEntry<Item, Answer>>>()
  readonly #others = new LockGroupTurns<LockGroup<ListedEntry<Item, Answer>>>()
  #arrived = 0
  /** Fires at the earliest deadline. */
  #timer: NodeJS.Timeout | undefined
  #timerAt = Infinity

  constructor(options: WaitingListOptions<Item>, onExpired: () => void) {
    this.#options = options
    this.#onExpired = onExpired
    this.#backlog = new Backlog(options)
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  add(item: Item): Promise<Answer> {
    const { lockKeyOf, orderKeysOf, sizeOf, bulkThreshold, dueAtOf } = this.#options
    const lockKey = lockKeyOf(item)
    const owner = this.#options.ownerOf?.(item) ?? ''
    const dueAt = dueAtOf?.(item) ?? Infinity
    const sinceMs = performance.now()
    if ((this.#waitingByOwner.get(owner) ?? 0) >= (this.#options.maxWaitingPerOwner ?? Infinity))
      return Promise.reject(new BacklogOverrun('too many items of its owner are waiting'))
    if (sinceMs + this.#backlog.estimateMs(lockKey) > dueAt)
      return Promise.reject(new BacklogOverrun('it would not be written in time'))
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const [orderKeys, size, threshold] = [orderKeysOf(item), sizeOf(item), bulkThreshold?.(item) ?? Infinity]
    this.#arrived += 1
    const entry = {
      item,
      lockKey,
      sinceMs,
      resolve,
      reject,
      order: this.#arrived,
      orderKeys,
      size,
      threshold,
      dueAt,
    }
    const group = this.#groupOf(lockKey, owner)
    this.#enlist(group, entry)
    if (this.#order.add(entry)) group.ready.push(entry)
    this.#giveTurn(group)
    return promise
  }

  /** Whether a bulk key could be written to. */
  hasBulk(isLocked: (lockKey: string) => boolean): boolean {
    return this.#bulk.some(({ lockKey }) => !isLocked(lockKey))
  }

  /** Takes the items of a batch, of bulk keys or of the others. They are in flight until `finish`. */
  take(isBulk: boolean, isLocked: (lockKey: string) => boolean): WaitingEntry<Item, Answer>[] {
    const batch: ListedEntry<Item, Answer>[] = []
    const turns = isBulk ? this.#bulk : this.#others
    turns.visit(
      this.#options.maxItems,
      ({ lockKey, ready }) => ready.length > 0 && !isLocked(lockKey),
      (group, limit) => this.#takeReady(group, limit, batch),
    )
    return this.#start(batch)
  }

  /** Takes the items of this lock key only. */
  takeLockKey(lockKey: string): WaitingEntry<Item, Answer>[] {
    const group = this.#groups.get(lockKey)
    const batch: ListedEntry<Item, Answer>[] = []
    if (group && !group.isInFlight) this.#takeReady(group, this.#options.maxItems, batch)
    return this.#start(batch)
  }

  /** A batch has ended. The items of `again` were not written, and wait before all that arrived after them. */
  finish(
    batch: readonly WaitingEntry<Item, Answer>[],
    again: readonly WaitingEntry<Item, Answer>[],
    startedAt: number,
  ): void {
    const back = new Set(again)
    const endedAt = performance.now()
    const touched = new Set<LockGroup<ListedEntry<Item, Answer>>>()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are the entries that were taken from this list
    for (const entry of batch as readonly ListedEntry<Item, Answer>[]) {
      const group = this.#groups.get(entry.lockKey)
      if (!group) continue
      group.isInFlight = false
      touched.add(group)
      if (back.has(entry)) {
        this.#enlist(group, entry)
        insert(group.ready, entry)
      } else for (const freed of this.#freeKeys(entry)) touched.add(freed)
    }
    for (const group of touched) this.#giveTurn(group)
    for (const lockKey of new Set(batch.map((entry) => entry.lockKey)))
      this.#backlog.recordBatch(lockKey, startedAt, endedAt)
  }

  #groupOf(lockKey: string, owner: string): LockGroup<ListedEntry<Item, Answer>> {
    const known = this.#groups.get(lockKey)
    if (known) return known
    const thresholds = new Map<number, number>()
    const group = { lockKey, owner, ready: [], waiting: 0, thresholds, isInFlight: false, turns: undefined }
    this.#groups.set(lockKey, group)
    return group
  }

  /** Counts it as waiting. */
  #enlist(group: LockGroup<ListedEntry<Item, Answer>>, entry: ListedEntry<Item, Answer>): void {
    this.#entries.add(entry)
    group.waiting += 1
    count(group.thresholds, entry.threshold, 1)
    count(this.#waitingByOwner, group.owner, 1)
    this.#backlog.add(group.lockKey, entry.size)
    this.#expireAt(entry.dueAt)
  }

  /** Counts it as waiting no longer. */
  #delist(group: LockGroup<ListedEntry<Item, Answer>>, entry: ListedEntry<Item, Answer>): void {
    this.#entries.delete(entry)
    group.waiting -= 1
    count(group.thresholds, entry.threshold, -1)
    count(this.#waitingByOwner, group.owner, -1)
  }

  /** Moves the first items of a group that fit into the batch, and returns their number. An empty batch takes an item of any size. */
  #takeReady(
    group: LockGroup<ListedEntry<Item, Answer>>,
    limit: number,
    batch: ListedEntry<Item, Answer>[],
  ): number {
    let size = 0
    for (const entry of batch) size += entry.size
    let taken = 0
    for (const entry of group.ready) {
      if (taken === limit || (batch.length > 0 && size + entry.size > this.#options.maxSize)) break
      batch.push(entry)
      size += entry.size
      taken += 1
    }
    group.ready.splice(0, taken)
    return taken
  }

  #start(batch: ListedEntry<Item, Answer>[]): ListedEntry<Item, Answer>[] {
    for (const entry of batch) {
      const group = this.#groups.get(entry.lockKey)
      if (!group) continue
      this.#delist(group, entry)
      this.#backlog.start(entry.lockKey, entry.size)
      group.isInFlight = true
      this.#giveTurn(group)
    }
    return batch
  }

  /** Makes ready what waited for its order keys, and returns the lock groups of that. */
  #freeKeys(entry: ListedEntry<Item, Answer>): LockGroup<ListedEntry<Item, Answer>>[] {
    const groups = []
    for (const next of this.#order.remove(entry)) {
      const group = this.#groups.get(next.lockKey)
      if (!group) continue
      insert(group.ready, next)
      groups.push(group)
    }
    return groups
  }

  /** Lists the group in the turns where it belongs, if it has something to write. Forgets a group of which nothing is left. */
  #giveTurn(group: LockGroup<ListedEntry<Item, Answer>>): void {
    const isBulk = group.waiting >= Math.min(...group.thresholds.keys())
    const mayGo = !group.isInFlight && group.ready.length > 0
    const turns = mayGo ? (isBulk ? this.#bulk : this.#others) : undefined
    if (group.turns !== turns) {
      group.turns?.remove(group)
      turns?.add(group)
      group.turns = turns
    }
    if (group.waiting === 0 && !group.isInFlight) this.#groups.delete(group.lockKey)
  }

  #expireAt(dueAt: number): void {
    if (dueAt >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = dueAt
    this.#timer = setTimeout(() => this.#expire(), Math.max(MIN_EXPIRE_MS, dueAt - performance.now()))
    // The timer must not keep the process alive.
    this.#timer.unref()
  }

  #expire(): void {
    this.#timerAt = Infinity
    const now = performance.now()
    const late = new Set([...this.#entries].filter(({ dueAt }) => dueAt <= now))
    const touched = new Set<LockGroup<ListedEntry<Item, Answer>>>()
    for (const entry of late) {
      const group = this.#groups.get(entry.lockKey)
      if (group) {
        this.#delist(group, entry)
        touched.add(group)
      }
      this.#backlog.giveUp(entry.lockKey, entry.size)
      for (const freed of this.#freeKeys(entry)) touched.add(freed)
      entry.reject(new BacklogOverrun('it was not written in time'))
    }
    for (const group of touched) {
      group.ready = group.ready.filter((entry) => !late.has(entry))
      this.#giveTurn(group)
    }
    let next = Infinity
    for (const { dueAt } of this.#entries) next = Math.min(next, dueAt)
    this.#expireAt(next)
    if (late.size > 0) this.#onExpired()
  }
}

/** Inserts it behind those that came before it. */
function insert<Entry extends { readonly order: number }>(list: Entry[], entry: Entry): void {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle]?.order ?? Infinity) < entry.order) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, entry)
}

function count<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const left = (counts.get(key) ?? 0) + by
  if (left === 0) counts.delete(key)
  else counts.set(key, left)
}
