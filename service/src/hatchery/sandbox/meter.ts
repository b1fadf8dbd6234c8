/**
 * Measures how much time the task of a child has used. It does not charge the time in which the task waits for a core,
 * nor a pause of the parent, which is then late in reading answers.
 */
import type { Gauge } from './gauge.ts'

export interface MeterReading {
  /** CPU time. */
  readonly ranMs: number
  /**
   * CPU time and sleep. A task may sleep through no fault of its own, while a thread of V8 that it depends on waits for
   * a core.
   */
  readonly usedMs: number
  /** Wall-clock time since the task was first seen. */
  readonly wallMs: number
  readonly residentMb: number
}

export interface Meter {
  /** Call it at every tick with the current task of the child. */
  look(inFlight: object, nowMs: number): MeterReading
}

export function createMeter(gauge: Omit<Gauge, 'close'>, tickMs: number): Meter {
  let watched: object | undefined
  let ranMs = 0
  let sleptMs = 0
  let sinceMs = 0
  let last = { nowMs: 0, ranMs: 0 }
  return {
    look(inFlight, nowMs) {
      // Systems without CPU times get wall-clock time.
      const now = { nowMs, ranMs: gauge.ranMs() ?? nowMs }
      if (inFlight === watched) {
        // A longer interval means that the parent was blocked, and may not have read the answers of that time.
        const maxMs = 2 * tickMs
        ranMs += Math.min(now.ranMs - last.ranMs, maxMs)
        if (gauge.isBlocked()) sleptMs += Math.min(nowMs - last.nowMs, maxMs)
      } else {
        watched = inFlight
        ranMs = 0
        sleptMs = 0
        sinceMs = nowMs
      }
      last = now
      return {
        ranMs,
        usedMs: ranMs + sleptMs,
        wallMs: nowMs - sinceMs,
        residentMb: gauge.residentMb() ?? 0,
      }
    },
  }
}
