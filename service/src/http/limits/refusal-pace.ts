/**
 * Slows a client that repeats refused requests at once. A refusal costs a connection, an authentication and a part of a
 * body, and 60 clients that ignore Retry-After made other tenants wait seconds for their connections. The first refusals of a
 * tenant are answered at once; further ones are held back, so that only so many are answered in a second.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from '../../domain/fault.ts'

export interface RefusalPaceOptions {
  /** The number of refusals of one tenant that are answered at once before any is held back. */
  readonly burst: number
  readonly perSecond: number
  /** A refusal is held back no longer than this. */
  readonly maxWaitMs: number
  /** The number of refusals that are held back in this process. Further ones are answered at once. */
  readonly maxHeld: number
}

const OPTIONS: RefusalPaceOptions = { burst: 30, perSecond: 10, maxWaitMs: 4_000, maxHeld: 1_000 }

/** The refusals of one tenant, as the time at which its burst would be whole again. */
export class RefusalCount {
  #wholeAt = 0

  isUnused(nowMs: number): boolean {
    return this.#wholeAt <= nowMs
  }

  /** Counts a refusal, and returns how long to hold it back. */
  waitFor({ burst, perSecond, maxWaitMs }: RefusalPaceOptions, nowMs: number): number {
    const eachMs = 1_000 / perSecond
    const wait = Math.max(this.#wholeAt, nowMs) + eachMs - nowMs - burst * eachMs
    if (wait > maxWaitMs) return maxWaitMs
    this.#wholeAt = Math.max(this.#wholeAt, nowMs) + eachMs
    return Math.max(0, wait)
  }
}

export interface RefusalPace {
  /** Throws the fault, or returns a promise that rejects with it later. */
  refuse(count: RefusalCount, fault: Fault, nowMs: number): Promise<never>
}

export function createRefusalPace(options: RefusalPaceOptions = OPTIONS): RefusalPace {
  let held = 0
  return {
    refuse(count, fault, nowMs) {
      const waitMs = held < options.maxHeld ? count.waitFor(options, nowMs) : 0
      if (waitMs === 0) throw fault
      held += 1
      return delay(waitMs).then(() => {
        held -= 1
        throw fault
      })
    },
  }
}
