/**
 * Shares calls: callers that need the same result at the same time share one call. A caller that aborts does not affect
 * the others. The call itself is aborted when its last caller has left.
 */

export interface SharedCalls<Result> {
  /** Makes the call, or joins the call in flight with this key. */
  join(key: string, call: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  size(): number
}

interface Call<Result> {
  readonly result: Promise<Result>
  readonly abort: AbortController
  callers: number
}

export function createSharedCalls<Result>(): SharedCalls<Result> {
  const inFlight = new Map<string, Call<Result>>()

  function begin(key: string, make: (signal: AbortSignal) => Promise<Result>): Call<Result> {
    const abort = new AbortController()
    const result = make(abort.signal).finally(() => inFlight.get(key) === call && inFlight.delete(key))
    const call: Call<Result> = { result, abort, callers: 0 }
    // If all callers have left, nobody handles the rejection.
    result.catch(() => undefined)
    inFlight.set(key, call)
    return call
  }

  function leave(key: string, call: Call<Result>): void {
    call.callers -= 1
    if (call.callers > 0) return
    // A later caller makes a new call instead of joining one that is being aborted.
    if (inFlight.get(key) === call) inFlight.delete(key)
    call.abort.abort()
  }

  return {
    size: () => inFlight.size,
    async join(key, make, signal) {
      signal?.throwIfAborted()
      const call = inFlight.get(key) ?? begin(key, make)
      call.callers += 1
      try {
        return await untilAborted(call.result, signal)
      } finally {
        leave(key, call)
      }
    },
  }
}

async function untilAborted<Result>(
  result: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return result
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([result, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
