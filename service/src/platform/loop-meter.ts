/**
 * Measures the event loop delay by how late a timer fires. One late tick is a pause of the machine or one large body.
 * Several in a row mean that the process is overloaded, and new requests would wait, too.
 */
import type { Part } from './lifecycle.ts'
import type { Log } from './log.ts'

export interface LoopMeter extends Part {
  /** True while the process is too late to accept more requests. */
  isLate(): boolean
}

const TICK_MS = 100
/** A process that was frozen has one late tick, and a busy machine sometimes two. */
const LATE_TICKS = 3

/** `lateMs` is the maximum delay; with an infinite one the process is never late. */
export function createLoopMeter(lateMs: number, monotonicMs: () => number, log: Log): LoopMeter {
  let timer: NodeJS.Timeout | undefined
  let due = 0
  let lateTicks = 0

  function tick(): void {
    const now = monotonicMs()
    const late = now - due > lateMs
    if (late && lateTicks + 1 === LATE_TICKS)
      log.warn({ late_ms: Math.round(now - due) }, 'the event loop is late: documents are refused for now')
    if (!late && lateTicks >= LATE_TICKS) log.info('the event loop is in time again')
    lateTicks = late ? lateTicks + 1 : 0
    due = now + TICK_MS
  }

  return {
    name: 'loop meter',
    async start() {
      due = monotonicMs() + TICK_MS
      timer = setInterval(tick, TICK_MS)
    },
    async stop() {
      clearInterval(timer)
    },
    isLate: () => lateTicks >= LATE_TICKS,
  }
}
