/** The size of a comparison step, and the retry delay of a step that the model did not answer. */

/** The number of facts or groups that one step compares. */
export const MAX_STEP_SIZE = 100

const FIRST_PAUSE_MS = 2_000
const MAX_PAUSE_MS = 60_000
const MAX_RETRY_AFTER_MS = 15 * 60_000

/**
 * Exponential backoff up to a minute, so that work resumes soon after an outage. A longer delay from the endpoint or
 * the budget applies up to 15 minutes, because both may change.
 */
export function stepRetryDelayMs(failures: number, retryAfterMs: number | null = null): number {
  const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10))
  return Math.max(pause, Math.min(MAX_RETRY_AFTER_MS, retryAfterMs ?? 0))
}
