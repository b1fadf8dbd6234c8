/** Work that goes on beside a proof, and waiting that ends in an answer instead of an error. */
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@concord/tools/launch'

export interface Loop {
  /** Ends the pause; resolves when the last turn is over, and rejects with the error of a turn that failed. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** Between the end of a turn and the next one. */
  readonly pauseMs?: number
  /** This many at the same time, each with turns of its own. */
  readonly workers?: number
}

/** Repeats the work until it is stopped. The signal tells a long turn of that; `worker` counts from 0. */
export function repeat(
  work: (signal: AbortSignal, worker: number) => unknown,
  { pauseMs = 0, workers = 1 }: LoopOptions = {},
): Loop {
  const stopping = new AbortController()
  const { signal } = stopping
  async function run(worker: number): Promise<void> {
    while (!signal.aborted) {
      await work(signal, worker)
      await pause(pauseMs, signal)
    }
  }
  const running = Promise.all(Array.from({ length: workers }, (_, worker) => run(worker)))
  // An error is reported by `stop`; until then nobody is there to take it.
  running.catch(() => undefined)
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Waits, or until the signal. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => undefined)
}

export interface PollOptions {
  readonly withinMs: number
  readonly everyMs?: number
}

/** Reads until the value will do or the time is over, and returns the last value either way. */
export async function poll<Value>(
  read: () => Promise<Value> | Value,
  { until, withinMs, everyMs = 50 }: PollOptions & { readonly until: (value: Value) => boolean },
): Promise<Value> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await read()
    if (until(value) || performance.now() > deadline) return value
    await delay(everyMs)
  }
}

/** Whether the condition came true in time; an error of the condition counts as "not yet". */
export async function happens(
  condition: () => Promise<boolean> | boolean,
  { withinMs, everyMs = 50 }: PollOptions,
): Promise<boolean> {
  return waitUntil(condition, { what: 'a condition', withinMs, everyMs }).catch(() => false)
}
