/**
 * The circuit breaker in front of the database. While the database is away no attempt can begin, and everything that the worker
 * pulls goes back to the broker a moment later: each round raises the delivery counts, and with many deliveries the work slows down
 * the servers that have to come back. After the first failed call the worker pulls nothing, and one probe asks until the database answers.
 */
import { setTimeout as delay } from 'node:timers/promises'

export interface DatabaseBreaker {
  /** Opens the breaker: a call found the database away. */
  trip(): void
  /** Resolves when the breaker is closed, which it is unless it was tripped. */
  closed(): Promise<void>
  /** Ends the probe for good, and with it every wait for `closed`. */
  stop(): void
}

export function createDatabaseBreaker(probe: () => Promise<unknown>, everyMs = 200): DatabaseBreaker {
  const stopped = new AbortController()
  let probing: Promise<void> | undefined

  async function untilAnswered(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one probe after the other
        return await probe().then(() => undefined)
      } catch {
        // oxlint-disable-next-line no-await-in-loop -- one probe after the other
        await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined)
      }
    }
  }

  return {
    trip: () => void (probing ??= untilAnswered().finally(() => (probing = undefined))),
    closed: () => probing ?? Promise.resolve(),
    stop: () => stopped.abort(),
  }
}
