/**
 * Limits the requests in flight. The limit is halved when the endpoint is busy, and grows by one for each full round of
 * answers, so that it adapts to a slow endpoint. Requests above the limit wait in order.
 */

export interface ConcurrencyLimit {
  inFlight(): number
  waiting(): number
  limit(): number
  /** Resolves when a request may be sent. Rejects with the reason of the signal or of `rejectWaiting`. */
  acquire(signal?: AbortSignal): Promise<void>
  release(): void
  rejectWaiting(reason: () => Error): void
  /** The endpoint answered. */
  grow(): void
  /** The endpoint is busy. */
  shrink(): void
}

interface Waiter {
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  const waiters = new Set<Waiter>()
  let inFlight = 0
  let limit = max

  function admitWaiting(): void {
    for (const waiter of waiters) {
      if (inFlight >= Math.floor(limit)) return
      waiters.delete(waiter)
      inFlight += 1
      waiter.resolve()
    }
  }

  function wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { resolve, reject }
    waiters.add(waiter)
    const abort = () => {
      if (waiters.delete(waiter)) reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
    return promise.finally(() => signal?.removeEventListener('abort', abort))
  }

  return {
    inFlight: () => inFlight,
    waiting: () => waiters.size,
    limit: () => Math.floor(limit),
    async acquire(signal) {
      signal?.throwIfAborted()
      if (inFlight >= Math.floor(limit)) return wait(signal)
      inFlight += 1
    },
    release() {
      inFlight -= 1
      admitWaiting()
    },
    rejectWaiting(reason) {
      const rejected = [...waiters]
      waiters.clear()
      for (const { reject } of rejected) reject(reason())
    },
    grow() {
      limit = Math.min(max, limit + 1 / limit)
    },
    shrink() {
      limit = Math.max(1, limit / 2)
    },
  }
}
