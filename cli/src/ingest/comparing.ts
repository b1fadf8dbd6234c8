/** Waits until a scope has nothing more to compare by a language model. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Concord } from '@concord/client'
import type { Comparisons } from './summary.ts'

/** The first looks follow each other quickly, because a small scope is compared in a moment. */
const FIRST_LOOK_MS = 100
const LOOK_EVERY_MS = 1_000
/** A model that answers at all has answered by then; while it is away nobody waits for it. */
const STALLED_AFTER_MS = 120_000

export interface ComparisonProgress extends Comparisons {
  /** The position of the log at which this is true. */
  readonly head: number
}

/** Ends without all where nothing moves for two minutes, and where it is interrupted. */
export async function untilCompared(
  concord: Concord,
  scopeId: string,
  signal: AbortSignal,
  note: (pending: number) => void,
): Promise<ComparisonProgress> {
  let last = { pending: Number.POSITIVE_INFINITY, at: Date.now() }
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(LOOK_EVERY_MS, pauseMs * 1.5)) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const { log_head: head, reading, convergence } = await concord.getOwnScope({ scopeId })
    const pending = convergence.comparisons_pending
    if (pending !== last.pending) last = { pending, at: Date.now() }
    const isStalled = Date.now() - last.at > STALLED_AFTER_MS
    if (pending === 0 || isStalled || signal.aborted)
      return { claims: reading.claims, compared: reading.claims_compared, pending, head: head ?? 0 }
    note(pending)
    // oxlint-disable-next-line no-await-in-loop -- until it looks again
    await delay(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
