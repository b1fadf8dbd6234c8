/**
 * Records events of the machinery, for the operator's stream: noted at once and written one after the other, so that a
 * database that is away for a while costs neither the order nor, up to a bound, the entries.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Part } from '../../platform/lifecycle.ts'
import type { Log } from '../../platform/log.ts'
import type { Pool } from '../../store/pools.ts'
import { appendKernelEvent } from '../../store/processing/runtime.ts'
import type { KernelEvent } from '../../store/scopes/events.ts'

export interface KernelJournalDeps {
  /** Runs as the kernel role. */
  readonly kernel: Pool
  readonly log: Log
}

export interface KernelJournal extends Part {
  note(event: KernelEvent): void
}

const MAX_WAITING = 1_000
const PAUSE_MS = 1_000
const LAST_TRY_MS = 3_000

export function createKernelJournal({ kernel, log }: KernelJournalDeps): KernelJournal {
  const waiting: KernelEvent[] = []
  const stopping = new AbortController()
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    for (let next = waiting[0]; next; next = waiting[0]) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- in their order
        await appendKernelEvent(kernel, next)
        waiting.shift()
      } catch (error) {
        log.warn({ err: error, waiting: waiting.length }, 'an event of the kernel could not be written yet')
        if (stopping.signal.aborted) return
        // oxlint-disable-next-line no-await-in-loop -- tried again later
        await delay(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  function note(event: KernelEvent): void {
    if (waiting.length >= MAX_WAITING)
      return log.error({ event }, 'too many events of the kernel wait; dropped')
    waiting.push(event)
    writing ??= write().finally(() => (writing = undefined))
  }

  return {
    name: 'journal',
    stopWithinMs: LAST_TRY_MS,
    start: async () => undefined,
    async stop() {
      stopping.abort()
      await writing
    },
    note,
  }
}
