/**
 * How long an item that arrives now would wait behind those of the same place (a scope): the batches ahead of it times the time that the
 * last ones took. A place is forgotten when nothing waits for it.
 */

interface PlaceBacklog {
  items: number
  size: number
  /** The time of one batch, from the end of the one before where there was one. */
  batchMs: number
  endedAt: number | undefined
}

export class Backlog {
  readonly #maxItems: number
  readonly #maxSize: number
  readonly #byPlace = new Map<string, PlaceBacklog>()

  constructor({ maxItems, maxSize }: { readonly maxItems: number; readonly maxSize: number }) {
    this.#maxItems = maxItems
    this.#maxSize = maxSize
  }

  add(place: string, size: number): void {
    const its = this.#byPlace.get(place)
    if (!its) this.#byPlace.set(place, { items: 1, size, batchMs: 0, endedAt: undefined })
    else {
      its.items += 1
      its.size += size
    }
  }

  /** It is being written. */
  start(place: string, size: number): void {
    const its = this.#byPlace.get(place)
    if (!its) return
    its.items -= 1
    its.size -= size
  }

  giveUp(place: string, size: number): void {
    this.start(place, size)
    if (this.#byPlace.get(place)?.items === 0) this.#byPlace.delete(place)
  }

  /** A batch with items of this place has ended. */
  recordBatch(place: string, startedAt: number, endedAt: number): void {
    const its = this.#byPlace.get(place)
    if (!its) return
    if (its.items === 0) return void this.#byPlace.delete(place)
    const tookMs = endedAt - (its.endedAt ?? startedAt)
    // One that was slow by accident counts half.
    its.batchMs = its.endedAt === undefined ? tookMs / 2 : (its.batchMs + tookMs) / 2
    its.endedAt = endedAt
  }

  estimateMs(place: string): number {
    const its = this.#byPlace.get(place)
    if (!its) return 0
    return Math.max(its.items / this.#maxItems, its.size / this.#maxSize) * its.batchMs
  }
}
