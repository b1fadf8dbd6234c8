/**
 * Throttles the slow pool: while the fast pool has tasks, the slow pool pauses between two tasks. Low priority is not
 * enough, because a runaway document also costs its neighbours caches, memory and time in the kernel. So the slow pool
 * works a small part of the time. It works without pauses while the fast pool is quiet, or when so many tasks wait that
 * they would soon block others.
 */
export interface Throttle {
  /**
   * The pool asks whenever it has room for a task. So the first call after `recordStart` is at the end of that task.
   */
  mayStart(): boolean
  recordStart(): void
}

export interface ThrottleOptions {
  /** Whether the fast pool has tasks. */
  isWanted(): boolean
  /** Whether too many jobs wait for the slow pool to pause it. */
  isBacklogged(): boolean
  now(): number
}

/** The length of a pause, as a multiple of the task before it. */
const PAUSE_FACTOR = 19

export function createThrottle({ isWanted, isBacklogged, now }: ThrottleOptions): Throttle {
  let startedAt: number | undefined
  let pausedUntil = 0
  return {
    mayStart() {
      if (startedAt !== undefined) {
        pausedUntil = now() + PAUSE_FACTOR * (now() - startedAt)
        startedAt = undefined
      }
      return now() >= pausedUntil || isBacklogged() || !isWanted()
    },
    recordStart() {
      startedAt = now()
    },
  }
}
