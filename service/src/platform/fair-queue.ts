/**
 * Shares a fixed number of slots (connections) between owners (tenants). Owners that wait take turns. While another owner waits,
 * none is given more than a third of the slots, and no owner alone takes the last third. Callers that name the same exclusive key
 * (a scope) come one after the other, and those that wait for the key hold no slot.
 */

export interface FairQueueOptions {
  readonly slots: number
  /** A caller that was not served within this time from its arrival is refused. */
  readonly waitMs: number
}

export type Release = () => void

/** Nothing was begun: the caller waited behind the requests of its own tenant, or for the same scope, for too long. */
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
  /** By owner, the one whose turn is next first. An owner is listed only while it waits for a slot. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  /** By key that is taken: those that wait for it. The key is taken by one caller that holds a slot or waits for one. */
  readonly #byKey = new Map<string, Set<Waiter>>()

  constructor({ slots, waitMs }: FairQueueOptions) {
    this.#waitMs = waitMs
    this.#share = Math.max(1, Math.floor(slots / 3))
    this.#maxHeld = Math.max(1, slots - this.#share)
    this.#free = slots
  }

  /** Resolves with the function that gives the slot back. Rejects with `FairQueueTimeout`. */
  acquire(owner: string, key?: string): Promise<Release> {
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
        this.#giveUp(waiter)
        reject(new FairQueueTimeout(this.#waitMs))
      }, this.#waitMs)
    })
  }

  #arrive(waiter: Waiter): void {
    const line = waiter.key === undefined ? undefined : this.#byKey.get(waiter.key)
    if (line) return void line.add(waiter)
    if (waiter.key !== undefined) this.#byKey.set(waiter.key, new Set())
    this.#enqueue(waiter)
  }

  #enqueue(waiter: Waiter): void {
    const line = this.#waiting.get(waiter.owner)
    if (line) line.add(waiter)
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
    for (const [owner, line] of this.#waiting) {
      const [next] = line
      if (!next || (this.#held.get(owner) ?? 0) >= most) continue
      line.delete(next)
      // An owner that was served goes to the end.
      this.#waiting.delete(owner)
      if (line.size > 0) this.#waiting.set(owner, line)
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

  /** The next caller that wants the key waits for a slot from now on. */
  #passOn(key: string | undefined): void {
    if (key === undefined) return
    const line = this.#byKey.get(key)
    const [next] = line ?? []
    if (!line || !next) return void this.#byKey.delete(key)
    line.delete(next)
    this.#enqueue(next)
  }

  #giveUp(waiter: Waiter): void {
    const { owner, key } = waiter
    if (key !== undefined && this.#byKey.get(key)?.delete(waiter)) return
    const line = this.#waiting.get(owner)
    line?.delete(waiter)
    if (line?.size === 0) this.#waiting.delete(owner)
    this.#passOn(key)
    // An owner that waits alone now may take more than its share.
    this.#grantAll()
  }
}
