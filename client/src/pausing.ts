/** Time and signals: pauses that can be cut short, and signals that end by themselves. */

/** Rejects with the reason of the signal when that comes first. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, ms)
    signal?.addEventListener('abort', leave, { once: true })
  })
}

export interface LinkedSignal {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
  /** Lets go of the other signal, which may live much longer. */
  release(): void
}

/** Aborts when the other one does, or when told to. */
export function linkSignal(other: AbortSignal | undefined): LinkedSignal {
  const controller = new AbortController()
  const follow = () => controller.abort(other?.reason)
  if (other?.aborted) follow()
  else other?.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => other?.removeEventListener('abort', follow),
  }
}
