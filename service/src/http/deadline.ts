/**
 * The deadline of requests. If the database does not respond in time, the answer is 503. The caller finds out whether the request was
 * processed by repeating it, with the same idempotency key where there is one.
 */
import { Fault } from '../domain/fault.ts'

/** The statement timeout. Whatever a request waits for, its caller gets a response within a second after this. */
export const DEADLINE_MS = 5_000

/** Rejects after the deadline. The work itself goes on and ends by the timeouts of the database. */
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
