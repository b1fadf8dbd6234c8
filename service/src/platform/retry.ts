/** Retries a call with exponential backoff until it succeeds, fails for good or the time is over. */
import { setTimeout as delay } from 'node:timers/promises'

export interface RetryOptions {
  /** No retry begins after this time. */
  readonly forMs: number
  readonly maxPauseMs: number
  /** Whether the same call may succeed later. */
  readonly isWorthwhile: (error: unknown) => boolean
  /** Receives the first error that is retried. */
  readonly onWaiting?: (error: unknown) => void
}

const FIRST_PAUSE_MS = 100

export async function retry<Result>(
  work: () => Promise<Result>,
  { forMs, maxPauseMs, isWorthwhile, onWaiting }: RetryOptions,
): Promise<Result> {
  const deadline = performance.now() + forMs
  let isFirst = true
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      return await work()
    } catch (error) {
      if (!isWorthwhile(error) || performance.now() > deadline) throw error
      if (isFirst) onWaiting?.(error)
      isFirst = false
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      await delay(Math.min(maxPauseMs, pauseMs))
    }
  }
}
