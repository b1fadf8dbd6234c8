/** When a failed attempt is tried again. The schedule is published: it is part of what a caller can rely on. */

/** After this many attempts a document has failed, with its reason, until somebody asks for another try. */
export const MAX_ATTEMPTS = 5

/**
 * The largest number of attempts. A worker that dies says little against what it had in flight, so a document whose attempts end without
 * a word is not given up as soon as one that fails; but one that takes its worker down each time must not do so for ever.
 */
export const MAX_BEGUN = 10

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 60_000

/** Doubles each time; a random half of it is left off, so that documents that failed together do not return together. */
export function retryDelayMs(attempt: number, random: number): number {
  const whole = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return Math.round(whole / 2 + (whole / 2) * random)
}
