/** The places of a batcher that another process has locked, and when each is retried. */

const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 500

/** Calls `wake` when one of them is due. */
export function createLockedPlaces(wake: () => void) {
  const places = new Map<string, { readonly dueMs: number; readonly pauseMs: number }>()
  let alarm: NodeJS.Timeout | undefined
  return {
    /** One of them is being retried. */
    isRetrying: false,
    /** Records the outcome of a batch: which of its places are still locked. */
    update(written: readonly string[], stillLocked: ReadonlySet<string>): void {
      for (const place of written) if (!stillLocked.has(place)) this.forget(place)
      for (const place of stillLocked) this.add(place)
    },
    has: (place: string): boolean => places.has(place),
    forget: (place: string): void => void places.delete(place),
    add(place: string): void {
      const pauseMs = Math.min(2 * (places.get(place)?.pauseMs ?? FIRST_PAUSE_MS / 2), MAX_PAUSE_MS)
      // Deleted first, so that it moves behind all others that are due.
      places.delete(place)
      places.set(place, { dueMs: performance.now() + pauseMs, pauseMs })
    },
    /** Returns the place that has been due for longest; if none is due, `wake` is called when one is. */
    next(): string | undefined {
      if (this.isRetrying || places.size === 0) return undefined
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

export type LockedPlaces = ReturnType<typeof createLockedPlaces>
