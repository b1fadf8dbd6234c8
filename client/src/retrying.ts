/** Tries again what may be tried again, after pauses drawn by lot, within a number of attempts and a time. */
import { ConcordProblem, ConnectionFailed, TimedOut, UnexpectedAnswer } from './errors.ts'
import type { RetryPolicy } from './options.ts'
import { pause } from './pausing.ts'

export interface RetryState {
  readonly policy: RetryPolicy
  readonly timeoutMs: number
  readonly repeatable: boolean
  readonly signal: AbortSignal | undefined
}

/** Refused before anything was done: to send it again is harmless, whatever it is. */
const refused = new Set(['overloaded', 'queue_full'])

/** Whatever the service was asked, it may be asked again. */
function wasRefused(error: unknown): boolean {
  return error instanceof ConcordProblem && (error.status === 429 || refused.has(error.code))
}

/** It may go better the next time; whether that is harmless is another question. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionFailed || error instanceof TimedOut) return true
  if (error instanceof UnexpectedAnswer) return [408, 429, 502, 503, 504].includes(error.status)
  if (!(error instanceof ConcordProblem)) return false
  // Nobody makes a root key while we wait.
  if (error.code === 'no_root_key') return false
  return [408, 429, 502, 503, 504].includes(error.status)
}

export async function withAttempts<Result>(
  { policy, timeoutMs, repeatable, signal }: RetryState,
  attempt: (remainingMs: number) => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  for (let tried = 1; ; tried += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one attempt follows the other
      return await attempt(deadline - performance.now())
    } catch (error) {
      signal?.throwIfAborted()
      const again = wasRefused(error) || (repeatable && isPassing(error))
      if (!again || tried >= policy.attempts) throw error
      const ms = pauseBefore(tried, policy, error)
      if (performance.now() + ms >= deadline) throw outOfTime(timeoutMs, error)
      // oxlint-disable-next-line no-await-in-loop -- one attempt follows the other
      await pause(ms, signal)
    }
  }
}

/** An answer says more than that the time was over. */
function outOfTime(timeoutMs: number, error: unknown): unknown {
  if (error instanceof ConcordProblem || error instanceof UnexpectedAnswer) return error
  return new TimedOut(`The call was not answered within ${timeoutMs} ms.`, { cause: error })
}

/** By lot, so that many who failed together do not come back together; never before the service wants to see us. */
export function pauseBefore(
  tried: number,
  { baseMs, maxMs }: Pick<RetryPolicy, 'baseMs' | 'maxMs'>,
  error: unknown,
): number {
  const isAnswer = error instanceof ConcordProblem || error instanceof UnexpectedAnswer
  const asked = isAnswer ? (error.retryAfterMs ?? 0) : 0
  return asked + Math.random() * Math.min(maxMs, baseMs * 2 ** (tried - 1))
}
