/**
 * How many released documents may wait for a worker to claim them. The broker hands them out first come, first served:
 * whoever is released next waits for all of them, whatever its turn. So there are no more than the workers take up in a
 * moment, and the long wait is in the backlog, where every release puts the least-served tenant first.
 */

export interface Flow {
  readonly perSecond: number
  /** When it was last looked at, in milliseconds of a clock that never jumps. */
  readonly at: number
}

export const STILL: Flow = { perSecond: 0, at: 0 }

/** Longer than it takes until a note is with a worker and its claim is committed, or workers would run dry. */
const LINE_MS = 50
/** What a worker pulls at once. The flow begins with it, because it is measured on what was let through. */
const SHORTEST = 16
/** What was released longer ago than this hardly counts any more. */
const MEMORY_MS = 1_000

/** While there is a backlog, as much is released as has ended; without one, no line forms. */
export function noteReleased({ perSecond, at }: Flow, now: number, released: number): Flow {
  const kept = perSecond * Math.exp((at - now) / MEMORY_MS)
  return { perSecond: kept + (released * 1_000) / MEMORY_MS, at: now }
}

export function lineFor({ perSecond }: Flow): number {
  return Math.max(SHORTEST, Math.ceil((perSecond * LINE_MS) / 1_000))
}
