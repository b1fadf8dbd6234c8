/**
 * The longest that a caller waits for us. A database that falls silent must keep nobody: when the time is over the answer
 * is 503, and the caller finds out what became of it by asking again, under the same idempotency key where there is one.
 */
import { Fault } from '../domain/fault.ts'

/** As long as a statement may take; whatever else there is to wait for, a caller hears within a second after it. */
export const DEADLINE_MS = 5_000

/** Work that is given up on here goes on, and ends by the time limits of the database. */
export async function withinDeadline<Result>(
  work: Promise<Result>,
  leftMs: number = DEADLINE_MS,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Fault('unavailable', { internal: 'there was no answer in time' }))
    // @point http.deadline
    timer = setTimeout(giveUp, Math.max(0, leftMs))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
