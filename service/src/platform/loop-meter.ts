/**
 * Whether this process keeps up with its own work, told by how late a timer comes. One late tick is a pause of the
 * machine or one large body; several in a row mean that whatever arrives now will wait, too.
 */
import type { Part } from './lifecycle.ts'
import type { Log } from './log.ts'

export interface LoopMeter extends Part {
  /** True while the process is too late to take on more. */
  isLate(): boolean
}

const TICK_MS = 100
/** A process that was frozen and thawed has one late tick, and a busy machine now and then two. */
const LATE_TICKS = 3

/** `lateMs` is how late is too late; infinite for a process that never thinks so. */
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
