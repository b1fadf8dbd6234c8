/**
 * Shares the event loop between long work and short requests. Long work is cut into slices, and in each turn of the event loop
 * only one slice runs, whoever it belongs to. A short request waits for one slice at most, however many pieces of long work
 * there are. The queue is one for the process, because the event loop is.
 */

const waiting: (() => void)[] = []
let isScheduled = false

/** Resolves in a turn of the event loop in which no other caller continues. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    waiting.shift()?.()
    if (waiting.length > 0) schedule()
  })
}

/** Cuts the items into slices of at most this size, unless a single item is larger. Keeps their order. */
export function slicesOf<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  maxSize: number,
): Item[][] {
  const slices: Item[][] = []
  let size = Infinity
  for (const item of items) {
    size += sizeOf(item)
    const last = slices.at(-1)
    if (last && size <= maxSize) last.push(item)
    else {
      slices.push([item])
      size = sizeOf(item)
    }
  }
  return slices
}
