/** The circuit breaker of the judge in this process. It also counts answers, refusals and failures for the metrics. */
import { backoffMs } from '../endpoint/backoff.ts'
import type { JudgeResponse, JudgeFailure, Refusal, Verdict } from '../domain/judge.ts'
import type { Log } from '../platform/log.ts'

export interface JudgeCounts {
  readonly verdicts: Record<Verdict, number>
  readonly refused: Record<Refusal, number>
  readonly failed: Record<JudgeFailure, number>
  asked: number
  tokens: number
  overBudget: number
  notAllowed: number
  /** The waiting questions of all processes, at the last count. */
  waiting: number
}

export interface JudgeBreaker {
  readonly counts: JudgeCounts
  /** Whether the last requests failed or were refused. */
  isFailing(): boolean
  /** While the breaker is open, no questions are asked. */
  isOpen(): boolean
  /** Counts a result and returns it; a refusal that shows a wrong setup is returned as a failure. */
  record(result: JudgeResponse): JudgeResponse
}

const MAX_PAUSE_MS = 60_000
/** One bad answer is a fault of the model. Several in a row are a fault of the endpoint. */
const MAX_REFUSALS = 3

export function createJudgeBreaker(log: Log): JudgeBreaker {
  const counts = createCounts()
  let consecutiveFailures = 0
  let consecutiveRefusals = 0
  let hasAnswered = false
  let openUntil = 0

  /** An endpoint that declines before it has ever answered is set up wrongly. The question is not to blame. */
  function toSetupFailure(asked: JudgeResponse): JudgeResponse {
    if (hasAnswered || asked.kind !== 'refused' || asked.why !== 'declined') return asked
    return { kind: 'failed', why: 'forbidden', tokens: 0, retryAfterMs: null }
  }

  function recordFailure({ why, retryAfterMs }: JudgeResponse & { readonly kind: 'failed' }): void {
    if (consecutiveFailures === 0) log.warn({ why }, 'the judge fails; open questions wait')
    counts.failed[why] += 1
    consecutiveFailures += 1
    const pause = Math.max(backoffMs(consecutiveFailures), retryAfterMs ?? 0)
    openUntil = performance.now() + Math.min(MAX_PAUSE_MS, pause)
  }

  return {
    counts,
    isFailing: () => consecutiveFailures > 0 || consecutiveRefusals >= MAX_REFUSALS,
    isOpen: () => performance.now() < openUntil,
    record(given) {
      const asked = toSetupFailure(given)
      counts.asked += 1
      counts.tokens += asked.tokens
      if (asked.kind === 'failed') recordFailure(asked)
      else consecutiveFailures = 0
      if (asked.kind === 'refused') {
        counts.refused[asked.why] += 1
        consecutiveRefusals += 1
      } else if (asked.kind === 'answered') {
        hasAnswered = true
        consecutiveRefusals = 0
      }
      return asked
    },
  }
}

function createCounts(): JudgeCounts {
  return {
    verdicts: { conflict: 0, restatement: 0, change: 0, compatible: 0, unsure: 0 },
    refused: { malformed: 0, misquoted: 0, too_long: 0, declined: 0 },
    failed: { timeout: 0, unreachable: 0, busy: 0, forbidden: 0, server_error: 0 },
    asked: 0,
    tokens: 0,
    overBudget: 0,
    notAllowed: 0,
    waiting: 0,
  }
}
