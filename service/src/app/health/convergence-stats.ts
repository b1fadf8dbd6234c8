/** Reads the convergence of all scopes for the metrics. It reads every scope, so it runs at most once a minute. */
import { selectConvergenceTotals } from '../../store/scopes/convergence.ts'
import type { ConvergenceTotals } from '../../store/scopes/convergence.ts'
import type { Pool } from '../../store/pools.ts'

export type ReadConvergenceTotals = () => Promise<ConvergenceTotals | undefined>

const FRESH_MS = 60_000

/** Returns undefined while the database does not answer; the next caller tries again. Runs as the kernel role. */
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
