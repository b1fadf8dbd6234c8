/** Waiting on a condition with a deadline, which is what tests do instead of sleeping. */
import { setTimeout as delay } from 'node:timers/promises'

export interface PollSettings {
  readonly what: string
  readonly withinMs?: number
  readonly everyMs?: number
}

/** The first value that is neither undefined nor false; rejections of the probe count as "not yet". */
export async function waitUntil<Value>(
  probe: () => Promise<Value | undefined | false> | Value | undefined | false,
  { what, withinMs = 20_000, everyMs = 50 }: PollSettings,
): Promise<Value> {
  const deadline = performance.now() + withinMs
  let lastError: unknown
  while (performance.now() < deadline) {
    try {
      const value = await probe()
      if (value !== undefined && value !== false) return value
    } catch (error) {
      lastError = error
    }
    await delay(everyMs)
  }
  throw new Error(`${what} did not happen within ${withinMs} ms`, { cause: lastError })
}
