/** First in, first out, with a door at the front for what comes back. What is over meanwhile is passed over. */

export interface Queue<Item> {
  add(item: Item): void
  /** In front of everything that was added, behind what came back before. */
  putBack(item: Item): void
  take(): Item | undefined
  /** Counts one by one: not to be asked for every task. */
  size(): number
  clear(): void
}

const WORTH_COMPACTING = 1024

export function createQueue<Item extends { isOver(): boolean }>(): Queue<Item> {
  const returned: Item[] = []
  const waiting: Item[] = []
  let head = 0

  function takeAny(): Item | undefined {
    if (returned.length > 0) return returned.shift()
    const item = waiting[head]
    if (item !== undefined) head += 1
    // Shifting a long array moves all of it; this moves it once in a while.
    if (head > WORTH_COMPACTING && head * 2 > waiting.length) {
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
