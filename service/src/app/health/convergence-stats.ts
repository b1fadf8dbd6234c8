/** How settled all scopes are, for whoever collects metrics. Every scope is read for it, so it is asked at most once a minute. */
import { selectConvergenceTotals } from '../../store/scopes/convergence.ts'
import type { ConvergenceTotals } from '../../store/scopes/convergence.ts'
import type { Pool } from '../../store/pools.ts'

export type ReadConvergenceTotals = () => Promise<ConvergenceTotals | undefined>

const FRESH_MS = 60_000

/** Reads as the kernel role. The answer is undefined while the database gives none; then the next caller asks again. */
export function createConvergenceTotals(kernel: Pool, monotonicMs: () => number): ReadConvergenceTotals {
  let asking: Promise<ConvergenceTotals | undefined> | undefined
  let askedAt = -Infinity

  async function ask(): Promise<ConvergenceTotals | undefined> {
    try {
      return await selectConvergenceTotals(kernel)
    } catch {
      askedAt = -Infinity
      return undefined
    }
  }

  return () => {
    if (!asking || monotonicMs() - askedAt > FRESH_MS) {
      askedAt = monotonicMs()
      asking = ask()
    }
    return asking
  }
}
