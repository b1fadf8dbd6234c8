/** The retry schedule of failed attempts. It is documented, and callers may rely on it. */

/** After this many failed attempts the document has failed, until a caller retries it. */
export const MAX_ATTEMPTS = 5

/**
 * The maximum number of started attempts. The crash of a worker says little about the documents in flight, so attempts
 * that end in a crash are allowed more often than failures. But a document that crashes its worker each time must not
 * do so for ever.
 */
export const MAX_STARTS = 10

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 60_000

/** Exponential backoff with jitter of up to a half, so that documents that failed together are not retried together. */
export function retryDelayMs(attempt: number, random: number): number {
  const whole = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return Math.round(whole / 2 + (whole / 2) * random)
}
