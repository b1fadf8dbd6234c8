/**
 * One contract for everything that lives: `start` returns when started, `stop` when stopped, stopping twice or
 * before the start is harmless. Parts start in order and stop in the opposite order, each within its own time limit.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from './log.ts'

export interface Part {
  readonly name: string
  start(): Promise<void>
  stop(): Promise<void>
  /** How long `stop` may take before the next part is stopped regardless. */
  readonly stopWithinMs?: number
}

export interface Running {
  /** Stops every part; the same promise however often it is called. */
  stop(): Promise<void>
}

const DEFAULT_STOP_MS = 5_000

export async function startAll(parts: readonly Part[], log: Log): Promise<Running> {
  const started: Part[] = []
  let stopping: Promise<void> | undefined
  const running: Running = {
    stop: () => (stopping ??= stopAll(started, log)),
  }
  for (const part of parts) {
    // Before it starts: a part that fails half-way has something to put away too.
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
    // oxlint-disable-next-line no-await-in-loop -- a part is stopped only after those that use it
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
