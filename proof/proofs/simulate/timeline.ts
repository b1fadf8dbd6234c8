/** What is going to happen, in the order of virtual time; of two things at the same time, the one planned first. */

interface Planned<Event> {
  readonly at: number
  readonly order: number
  readonly event: Event
}

export interface Timeline<Event> {
  plan(at: number, event: Event): void
  /** The earliest, which is then no longer planned. */
  next(): { readonly at: number; readonly event: Event } | undefined
}

/** A binary heap: a run plans and takes a million events. */
export function createTimeline<Event>(): Timeline<Event> {
  const heap: Planned<Event>[] = []
  let planned = 0
  return {
    plan(at, event) {
      heap.push({ at, order: (planned += 1), event })
      rise(heap)
    },
    next() {
      const first = heap[0]
      const last = heap.pop()
      if (heap.length > 0 && last) {
        heap[0] = last
        sink(heap)
      }
      return first
    },
  }
}

function rise<Event>(heap: Planned<Event>[]): void {
  let index = heap.length - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!isBefore(heap, index, parent)) return
    swap(heap, index, parent)
    index = parent
  }
}

function sink<Event>(heap: Planned<Event>[]): void {
  let index = 0
  for (;;) {
    let least = index
    for (const child of [2 * index + 1, 2 * index + 2])
      if (child < heap.length && isBefore(heap, child, least)) least = child
    if (least === index) return
    swap(heap, index, least)
    index = least
  }
}

function isBefore<Event>(heap: readonly Planned<Event>[], a: number, b: number): boolean {
  const first = heap[a]
  const second = heap[b]
  if (!first || !second) return false
  return first.at < second.at || (first.at === second.at && first.order < second.order)
}

function swap<Event>(heap: Planned<Event>[], a: number, b: number): void {
  const first = heap[a]
  const second = heap[b]
  if (!first || !second) return
  heap[a] = second
  heap[b] = first
}
