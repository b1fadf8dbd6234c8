/** How much a comparison step holds, and when one is tried again that the model did not answer. */

/** Facts, or groups, that one step compares. */
export const MAX_OF_STEP = 100

const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 60_000
const LONGEST_WISH_MS = 15 * 60_000

/**
 * After so many failures in a row: twice as long each time up to a minute, so that all goes on soon when the endpoint is back; not before
 * the endpoint or the budget says, up to a quarter of an hour, because both may change.
 */
export function pauseBetween(failures: number, retryAfterMs: number | null = null): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10))
  return Math.max(pause, Math.min(LONGEST_WISH_MS, retryAfterMs ?? 0))
}
