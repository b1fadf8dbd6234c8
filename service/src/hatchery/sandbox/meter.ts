/**
 * How much of its time a child's task has used. Waiting for a core on a busy machine is not charged, and neither is a
 * pause of the parent, which is then merely behind with reading answers.
 */
import type { Gauge } from './gauge.ts'

export interface MeterReading {
  /** On a core. */
  readonly ranMs: number
  /** On a core or asleep. Sleep is not always its own doing: threads of V8 it waits for may have to wait for a core. */
  readonly usedMs: number
  /** By the clock on the wall, since it was first seen. */
  readonly wallMs: number
  readonly residentMb: number
}

export interface Meter {
  /** To be called at every tick with what the child has in hand now. */
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
      // Where the system does not tell, the clock on the wall has to do.
      const now = { nowMs, ranMs: gauge.ranMs() ?? nowMs }
      if (inFlight === watched) {
        // More than this means that the parent was held up, and may not have read what was answered meanwhile.
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
