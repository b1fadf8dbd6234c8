/** Keeps the order of entries that share an order key: only an entry that is the first one of all its keys may be written. */

interface OrderedEntry {
  readonly orderKeys: readonly string[]
}

export class OrderKeys<Entry extends OrderedEntry> {
  /** By key, in the order of arrival. An entry stays in its queues while it is being written. */
  readonly #byKey = new Map<string, Entry[]>()

  /** Returns whether the entry may be written. */
  add(entry: Entry): boolean {
    for (const key of entry.orderKeys) {
      const queue = this.#byKey.get(key)
      if (queue) queue.push(entry)
      else this.#byKey.set(key, [entry])
    }
    return this.#isFirst(entry)
  }

  /** Returns the entries that may be written now, because only this one was before them. */
  remove(entry: Entry): Entry[] {
    const next = new Set<Entry>()
    for (const key of entry.orderKeys) {
      const queue = this.#byKey.get(key) ?? []
      const position = queue.indexOf(entry)
      if (position !== -1) queue.splice(position, 1)
      const [first] = queue
      if (!first) this.#byKey.delete(key)
      else if (position === 0) next.add(first)
    }
    return [...next].filter((each) => this.#isFirst(each))
  }

  #isFirst(entry: Entry): boolean {
    return entry.orderKeys.every((key) => this.#byKey.get(key)?.[0] === entry)
  }
}
