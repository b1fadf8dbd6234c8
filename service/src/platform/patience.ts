/** Tries again what somebody else's absence made fail, with pauses that grow, until it succeeds or the patience is over. */
import { setTimeout as delay } from 'node:timers/promises'

export interface RetryOptions {
  readonly forMs: number
  readonly maxPauseMs: number
  /** Whether the same may succeed later. */
  readonly isWorthwhile: (error: unknown) => boolean
  /** Told of the first failure that is waited out. */
  readonly onWaiting?: (error: unknown) => void
}

const FIRST_PAUSE_MS = 100

export async function withPatience<Result>(
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
