/** When a document is tried again that waits for the language model. */
import type { ModelFailure, ModelFailureReason } from './model.ts'

/** Why a document waits for the model: something that is not about the document. */
export type WaitingReason = Exclude<ModelFailureReason, 'declined' | 'too_long'>

export interface Deferral {
  readonly afterMs: number
  /** Whether it waits twice as long each time. */
  readonly grows: boolean
}

const FIRST_MS = 10_000
/** A budget may be raised before the period ends. */
const MAX_BUDGET_MS = 3_600_000
const MAX_RETRY_AFTER_MS = 300_000

/**
 * Where the endpoint or the budget says when, not before that; else after some seconds. While the endpoint is away a document waits
 * longer each time: it is woken as soon as a worker sees that the endpoint answers again. A random part is added, so that documents
 * that were put off together do not return together.
 */
export function deferralOf({ reason, retryAfterMs }: ModelFailure, random: number): Deferral {
  const most = reason === 'over_budget' ? MAX_BUDGET_MS : MAX_RETRY_AFTER_MS
  const afterMs = Math.min(most, retryAfterMs ?? 0) + FIRST_MS * (0.5 + random / 2)
  return { afterMs, grows: reason !== 'over_budget' && reason !== 'busy' }
}

/** Undefined where the request itself is the cause, so that waiting is of no use. */
export function waitingReasonOf({ reason }: ModelFailure): WaitingReason | undefined {
  return reason === 'declined' || reason === 'too_long' ? undefined : reason
}
