/**
 * Shares a fixed number of slots (connections) fairly between owners (tenants). Waiting owners take turns. While several
 * owners wait, each gets at most a third of the slots. An owner that waits alone gets at most two thirds. Callers with the
 * same exclusive key (a scope) run one after the other, and a caller that waits for the key holds no slot.
 */

export interface FairQueueOptions {
  readonly slots: number
  /** The timeout of a waiting caller, from its arrival. */
  readonly waitMs: number
}

export type ReleaseSlot = () => void

/** The caller waited too long behind requests of the same owner or with the same key. Nothing was started. */
export class FairQueueTimeout extends Error {
  constructor(waitMs: number) {
    super(`no connection became free within ${waitMs} ms`)
    this.name = 'FairQueueTimeout'
  }
}

interface Waiter {
  readonly owner: string
  readonly key: string | undefined
  readonly grant: () => void
}

export class FairQueue {
  readonly #waitMs: number
  readonly #share: number
  readonly #maxHeld: number
  #free: number
  readonly #held = new Map<string, number>()
  /**
   * The waiting callers by owner. The first owner has the next turn. Owners that wait for no slot are not in the map.
   */
  readonly #waiting = new Map<string, Set<Waiter>>()
  /** The waiting callers by key. A key in the map is held by one caller, which has a slot or waits for one. */
  readonly #byKey = new Map<string, Set<Waiter>>()

  constructor({ slots, waitMs }: FairQueueOptions) {
    this.#waitMs = waitMs
    this.#share = Math.max(1, Math.floor(slots / 3))
    this.#maxHeld = Math.max(1, slots - this.#share)
    this.#free = slots
  }

  /** Resolves with the function that releases the slot. Rejects with `FairQueueTimeout`. */
  acquire(owner: string, key?: string): Promise<ReleaseSlot> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      let isGranted = false
      const waiter: Waiter = {
        owner,
        key,
        grant: () => {
          isGranted = true
          clearTimeout(timer)
          resolve(() => this.#release(waiter))
        },
      }
      this.#arrive(waiter)
      if (isGranted) return
      timer = setTimeout(() => {
        this.#abandon(waiter)
        reject(new FairQueueTimeout(this.#waitMs))
      }, this.#waitMs)
    })
  }

  #arrive(waiter: Waiter): void {
    const queue = waiter.key === undefined ? undefined : this.#byKey.get(waiter.key)
    if (queue) return void queue.add(waiter)
    if (waiter.key !== undefined) this.#byKey.set(waiter.key, new Set())
    this.#enqueue(waiter)
  }

  #enqueue(waiter: Waiter): void {
    const queue = this.#waiting.get(waiter.owner)
    if (queue) queue.add(waiter)
    else this.#waiting.set(waiter.owner, new Set([waiter]))
    this.#grantAll()
  }

  #grantAll(): void {
    for (let next = this.#takeNext(); next; next = this.#takeNext()) {
      this.#free -= 1
      this.#held.set(next.owner, (this.#held.get(next.owner) ?? 0) + 1)
      next.grant()
    }
  }

  #takeNext(): Waiter | undefined {
    if (this.#free === 0) return undefined
    const most = this.#waiting.size === 1 ? this.#maxHeld : this.#share
    for (const [owner, queue] of this.#waiting) {
      const [next] = queue
      if (!next || (this.#held.get(owner) ?? 0) >= most) continue
      queue.delete(next)
      // The owner moves to the end of the order.
      this.#waiting.delete(owner)
      if (queue.size > 0) this.#waiting.set(owner, queue)
      return next
    }
    return undefined
  }

  #release({ owner, key }: Waiter): void {
    const left = (this.#held.get(owner) ?? 1) - 1
    if (left === 0) this.#held.delete(owner)
    else this.#held.set(owner, left)
    this.#free += 1
    this.#passOn(key)
    this.#grantAll()
  }

  /** Passes the key on: its next caller starts to wait for a slot. */
  #passOn(key: string | undefined): void {
    if (key === undefined) return
    const queue = this.#byKey.get(key)
    const [next] = queue ?? []
    if (!queue || !next) return void this.#byKey.delete(key)
    queue.delete(next)
    this.#enqueue(next)
  }

  #abandon(waiter: Waiter): void {
    const { owner, key } = waiter
    if (key !== undefined && this.#byKey.get(key)?.delete(waiter)) return
    const queue = this.#waiting.get(owner)
    queue?.delete(waiter)
    if (queue?.size === 0) this.#waiting.delete(owner)
    this.#passOn(key)
    // If only one owner waits now, its limit is higher.
    this.#grantAll()
  }
}
