/** The retry delays of documents that wait for the language model. */
import type { ModelFailure, ModelFailureReason } from './model.ts'

/** Why a document waits for the model. The document is never the cause. */
export type WaitingReason = Exclude<ModelFailureReason, 'declined' | 'too_long'>

export interface Deferral {
  readonly afterMs: number
  /** Whether the delay doubles each time. */
  readonly grows: boolean
}

const FIRST_MS = 10_000
/** A budget may be raised before the period ends. */
const MAX_BUDGET_MS = 3_600_000
const MAX_RETRY_AFTER_MS = 300_000

/**
 * The delay is that of the endpoint or the budget, if there is one, and some seconds otherwise. While the endpoint is
 * away the delay grows each time, but documents are woken as soon as a worker gets an answer again. Jitter is added, so
 * that documents that were deferred together are not retried together.
 */
export function deferralOf({ reason, retryAfterMs }: ModelFailure, random: number): Deferral {
  const most = reason === 'over_budget' ? MAX_BUDGET_MS : MAX_RETRY_AFTER_MS
  const afterMs = Math.min(most, retryAfterMs ?? 0) + FIRST_MS * (0.5 + random / 2)
  return { afterMs, grows: reason !== 'over_budget' && reason !== 'busy' }
}

/** Returns undefined if the request itself is the cause, so that waiting is useless. */
export function waitingReasonOf({ reason }: ModelFailure): WaitingReason | undefined {
  return reason === 'declined' || reason === 'too_long' ? undefined : reason
}
