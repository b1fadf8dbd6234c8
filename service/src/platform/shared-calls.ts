/**
 * Calls that several callers may want at the same time are made once, and all of them get the result. A caller that gives up leaves the
 * others alone; the call itself is aborted when the last caller has left.
 */

export interface SharedCalls<Result> {
  /** Makes the call, or joins the one under this key that is in flight. */
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
    // A call that all callers have left is nobody's failure.
    result.catch(() => undefined)
    inFlight.set(key, call)
    return call
  }

  function leave(key: string, call: Call<Result>): void {
    call.callers -= 1
    if (call.callers > 0) return
    // A caller that comes now begins anew, and does not join a call that is being aborted.
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
