/** The lock keys of a batcher whose locks other processes hold, and the time at which each is retried. */

const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 500

/** Calls `wake` when a lock key is due. */
export function createLockedKeys(wake: () => void) {
  const lockKeys = new Map<string, { readonly dueMs: number; readonly pauseMs: number }>()
  let alarm: NodeJS.Timeout | undefined
  return {
    /** True while a lock key is being retried. */
    isRetrying: false,
    /** Records the outcome of a batch: which of its lock keys are still locked. */
    update(written: readonly string[], stillLocked: ReadonlySet<string>): void {
      for (const lockKey of written) if (!stillLocked.has(lockKey)) this.forget(lockKey)
      for (const lockKey of stillLocked) this.add(lockKey)
    },
    has: (lockKey: string): boolean => lockKeys.has(lockKey),
    forget: (lockKey: string): void => void lockKeys.delete(lockKey),
    add(lockKey: string): void {
      const pauseMs = Math.min(2 * (lockKeys.get(lockKey)?.pauseMs ?? FIRST_PAUSE_MS / 2), MAX_PAUSE_MS)
      // Deleted first, so that it is inserted behind all other due keys.
      lockKeys.delete(lockKey)
      lockKeys.set(lockKey, { dueMs: performance.now() + pauseMs, pauseMs })
    },
    /** Returns the lock key that has been due for longest. If none is due, calls `wake` when one is. */
    next(): string | undefined {
      if (this.isRetrying || lockKeys.size === 0) return undefined
      const [first] = [...lockKeys].toSorted(([, a], [, b]) => a.dueMs - b.dueMs)
      const leftMs = (first?.[1].dueMs ?? 0) - performance.now()
      if (leftMs <= 0) return first?.[0]
      alarm ??= setTimeout(() => {
        alarm = undefined
        wake()
      }, leftMs)
      return undefined
    },
  }
}

export type LockedKeys = ReturnType<typeof createLockedKeys>
