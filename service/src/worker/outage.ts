/**
 * While the database is away nothing can be claimed, and whatever is pulled goes back to the broker a moment later: each
 * time one delivery more, and with many in hand so much work that the processes which should come back wait for it. So
 * after the first claim that found nobody, this asks alone until there is an answer.
 */
import { setTimeout as delay } from 'node:timers/promises'

export interface OutageTracker {
  /** Somebody found the database away. */
  note(): void
  /** Resolves when it answers; at once where nobody found it away since. */
  over(): Promise<void>
  /** Asks no more: whoever waits goes on. */
  end(): void
}

export function createOutage(ask: () => Promise<unknown>, everyMs = 200): OutageTracker {
  const ended = new AbortController()
  let asking: Promise<void> | undefined

  async function untilAnswered(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one question after the other
        return await ask().then(() => undefined)
      } catch {
        // oxlint-disable-next-line no-await-in-loop -- one question after the other
        await delay(everyMs, undefined, { signal: ended.signal }).catch(() => undefined)
      }
    }
  }

  return {
    note: () => void (asking ??= untilAnswered().finally(() => (asking = undefined))),
    over: () => asking ?? Promise.resolve(),
    end: () => ended.abort(),
  }
}
