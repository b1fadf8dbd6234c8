/** The events of virtual time in their order; of two at the same time, the one planned first comes first. */

export type Timeline<Event> = ReturnType<typeof createTimeline<Event>>

export function createTimeline<Event>() {
  /** The earliest is last. A world plans a few dozen at a time, and most of them soon, so a sorted list is enough. */
  const planned: { readonly at: number; readonly event: Event }[] = []
  return {
    plan(at: number, event: Event): void {
      planned.splice(planned.findLastIndex((each) => each.at > at) + 1, 0, { at, event })
    },
    /** Takes the earliest out. */
    next: () => planned.pop(),
  }
}
