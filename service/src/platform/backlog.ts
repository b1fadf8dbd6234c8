/**
 * Estimates how long a new item would wait behind the items with the same lock key (a scope): the number of batches ahead
 * times their recent duration. A lock key is dropped when nothing waits for it.
 */

interface KeyBacklog {
  items: number
  size: number
  /** The duration of a batch, measured from the end of the one before if there was one. */
  batchMs: number
  endedAt: number | undefined
}

export class Backlog {
  readonly #maxItems: number
  readonly #maxSize: number
  readonly #byKey = new Map<string, KeyBacklog>()

  constructor({ maxItems, maxSize }: { readonly maxItems: number; readonly maxSize: number }) {
    this.#maxItems = maxItems
    this.#maxSize = maxSize
  }

  add(lockKey: string, size: number): void {
    const its = this.#byKey.get(lockKey)
    if (!its) this.#byKey.set(lockKey, { items: 1, size, batchMs: 0, endedAt: undefined })
    else {
      its.items += 1
      its.size += size
    }
  }

  /** Called when an item of this size is being written. */
  start(lockKey: string, size: number): void {
    const its = this.#byKey.get(lockKey)
    if (!its) return
    its.items -= 1
    its.size -= size
  }

  giveUp(lockKey: string, size: number): void {
    this.start(lockKey, size)
    if (this.#byKey.get(lockKey)?.items === 0) this.#byKey.delete(lockKey)
  }

  /** Called when a batch with items of this lock key has ended. */
  recordBatch(lockKey: string, startedAt: number, endedAt: number): void {
    const its = this.#byKey.get(lockKey)
    if (!its) return
    if (its.items === 0) return void this.#byKey.delete(lockKey)
    const tookMs = endedAt - (its.endedAt ?? startedAt)
    // An average, so that one slow batch counts half.
    its.batchMs = its.endedAt === undefined ? tookMs / 2 : (its.batchMs + tookMs) / 2
    its.endedAt = endedAt
  }

  estimateMs(lockKey: string): number {
    const its = this.#byKey.get(lockKey)
    if (!its) return 0
    return Math.max(its.items / this.#maxItems, its.size / this.#maxSize) * its.batchMs
  }
}
