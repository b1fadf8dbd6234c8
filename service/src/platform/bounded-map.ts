/** A map with a maximum size. If it is full, the entry that was set first is evicted. */
export class BoundedMap<Key, Value> {
  readonly #size: number
  // A map keeps insertion order, so its first entry is the oldest.
  readonly #entries = new Map<Key, Value>()

  constructor(size: number) {
    this.#size = size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#size) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }
}
