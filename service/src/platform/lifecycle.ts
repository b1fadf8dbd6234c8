/**
 * The lifecycle of the parts of a process. `start` resolves when the part has started, and `stop` when it has stopped.
 * A part may be stopped twice or before its start. Parts start in order and stop in reverse order, each within its own
 * timeout.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from './log.ts'

export interface Part {
  readonly name: string
  start(): Promise<void>
  stop(): Promise<void>
  /** The timeout of `stop`, after which the next part is stopped. */
  readonly stopWithinMs?: number
}

export interface RunningParts {
  /** Stops every part. Repeated calls return the same promise. */
  stop(): Promise<void>
}

const DEFAULT_STOP_MS = 5_000

export async function startAll(parts: readonly Part[], log: Log): Promise<RunningParts> {
  const started: Part[] = []
  let stopping: Promise<void> | undefined
  const running: RunningParts = {
    stop: () => (stopping ??= stopAll(started, log)),
  }
  for (const part of parts) {
    // Registered before it starts, because a part that fails during its start must be stopped too.
    started.push(part)
    try {
      // oxlint-disable-next-line no-await-in-loop -- each part may need the ones before it
      await part.start()
    } catch (cause) {
      // oxlint-disable-next-line no-await-in-loop -- the loop ends here
      await running.stop()
      throw new Error(`${part.name} did not start`, { cause })
    }
  }
  return running
}

async function stopAll(started: readonly Part[], log: Log): Promise<void> {
  for (const part of started.toReversed()) {
    // oxlint-disable-next-line no-await-in-loop -- a part is stopped only after the parts that use it
    await stopPart(part, log)
  }
}

async function stopPart(part: Part, log: Log): Promise<void> {
  const limit = new AbortController()
  const overdue = delay(part.stopWithinMs ?? DEFAULT_STOP_MS, 'overdue' as const, {
    signal: limit.signal,
  }).catch(() => 'cancelled' as const)
  try {
    const outcome = await Promise.race([part.stop(), overdue])
    if (outcome === 'overdue') log.warn({ part: part.name }, 'part did not stop in time')
  } catch (error) {
    log.error({ part: part.name, err: error }, 'part failed to stop')
  } finally {
    limit.abort()
  }
}
