/** The places of a batcher that somebody else was found to hold, and when each is tried again. */

const FIRST_HELD_PAUSE_MS = 20
const MAX_HELD_PAUSE_MS = 500

/** Calls `wake` when one of them is due. */
export function createHeldPlaces(wake: () => void) {
  const places = new Map<string, { readonly dueMs: number; readonly pauseMs: number }>()
  let alarm: NodeJS.Timeout | undefined
  return {
    /** One of them is being tried. */
    isUnderWay: false,
    /** After a batch: these places are still held, and the others are not. */
    update(written: readonly string[], stillHeld: ReadonlySet<string>): void {
      for (const place of written) if (!stillHeld.has(place)) this.forget(place)
      for (const place of stillHeld) this.note(place)
    },
    has: (place: string): boolean => places.has(place),
    forget: (place: string): void => void places.delete(place),
    note(place: string): void {
      const pauseMs = Math.min(2 * (places.get(place)?.pauseMs ?? FIRST_HELD_PAUSE_MS / 2), MAX_HELD_PAUSE_MS)
      // Behind all others that are due.
      places.delete(place)
      places.set(place, { dueMs: performance.now() + pauseMs, pauseMs })
    },
    /** The one that waits longest of those that are due; if none is, whoever waits is woken when one is. */
    next(): string | undefined {
      if (this.isUnderWay || places.size === 0) return undefined
      const [first] = [...places].toSorted(([, a], [, b]) => a.dueMs - b.dueMs)
      const leftMs = (first?.[1].dueMs ?? 0) - performance.now()
      if (leftMs <= 0) return first?.[0]
      alarm ??= setTimeout(() => {
        alarm = undefined
        wake()
      }, leftMs)
      return undefined
    },
  }
}

export type HeldPlaces = ReturnType<typeof createHeldPlaces>
