/** Exponential backoff with jitter for an endpoint that fails, so that processes do not retry together. */

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

/** The backoff is 1 s after the first failure and at most 60 s. */
export function backoffMs(failuresInARow: number, random = Math.random): number {
  const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failuresInARow - 1, 10))
  return Math.max(FIRST_PAUSE_MS, pause * (0.5 + random() / 2))
}
