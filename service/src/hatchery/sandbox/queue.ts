/** A FIFO queue. Items that come back go to the front, and `take` skips items that are over. */

export interface Queue<Item> {
  add(item: Item): void
  /** Adds the item in front of all added items and behind items put back earlier. */
  putBack(item: Item): void
  take(): Item | undefined
  /** Takes linear time: do not call it for every task. */
  size(): number
  clear(): void
}

const MIN_COMPACTION = 1024

export function createQueue<Item extends { isOver(): boolean }>(): Queue<Item> {
  const returned: Item[] = []
  const waiting: Item[] = []
  let head = 0

  function takeAny(): Item | undefined {
    if (returned.length > 0) return returned.shift()
    const item = waiting[head]
    if (item !== undefined) head += 1
    // Shifting a long array moves all of it each time. This moves it once in a while.
    if (head > MIN_COMPACTION && head * 2 > waiting.length) {
      waiting.splice(0, head)
      head = 0
    }
    return item
  }

  return {
    add: (item) => void waiting.push(item),
    putBack: (item) => void returned.push(item),
    take() {
      let item = takeAny()
      while (item?.isOver()) item = takeAny()
      return item
    },
    size: () => [...returned, ...waiting.slice(head)].filter((item) => !item.isOver()).length,
    clear() {
      returned.length = 0
      waiting.length = 0
      head = 0
    },
  }
}
