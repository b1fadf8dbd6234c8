/** When a failed attempt is tried again. The schedule is published: it is part of what a caller can rely on. */

/** After this many attempts a document has failed, with its reason, until somebody asks for another try. */
export const MAX_ATTEMPTS = 5

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 60_000

/** Doubles each time; a random half of it is left off, so that documents that failed together do not return together. */
export function retryDelayMs(attempt: number, random: number): number {
  const whole = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return Math.round(whole / 2 + (whole / 2) * random)
}
