/** How the judge has done so far in this process: counted, and held against it. */
import { backoffMs } from '../endpoint/backoff.ts'
import type { Asked, JudgeFailure, Refusal, Verdict } from '../domain/judge.ts'
import type { Log } from '../platform/log.ts'

export interface JudgeCounts {
  readonly verdicts: Record<Verdict, number>
  readonly refused: Record<Refusal, number>
  readonly failed: Record<JudgeFailure, number>
  asked: number
  tokens: number
  overBudget: number
  notAllowed: number
  /** Questions that wait, as of late; over all processes. */
  waiting: number
}

export interface Reputation {
  readonly counts: JudgeCounts
  /** The last answers were none. */
  isFailing(): boolean
  /** It failed, and is left alone for a while. */
  isResting(): boolean
  /** Counts an answer; see there. */
  note(asked: Asked): Asked
}

const MAX_PAUSE_MS = 60_000
/** One bad answer is the model's, several in a row are the endpoint's. */
const IN_A_ROW = 3

export function createReputation(log: Log): Reputation {
  const counts = createCounts()
  let failuresInARow = 0
  let refusalsInARow = 0
  let hasAnswered = false
  let restsUntil = 0

  /** Until it has answered once, an endpoint that declines is one that is set up wrongly, and no question is to blame. */
  function excuse(asked: Asked): Asked {
    if (hasAnswered || asked.kind !== 'refused' || asked.why !== 'declined') return asked
    return { kind: 'failed', why: 'forbidden', tokens: 0, retryAfterMs: null }
  }

  function noteFailure({ why, retryAfterMs }: Asked & { readonly kind: 'failed' }): void {
    if (failuresInARow === 0) log.warn({ why }, 'the judge fails; what is open waits')
    counts.failed[why] += 1
    failuresInARow += 1
    const pause = Math.max(backoffMs(failuresInARow), retryAfterMs ?? 0)
    restsUntil = performance.now() + Math.min(MAX_PAUSE_MS, pause)
  }

  return {
    counts,
    isFailing: () => failuresInARow > 0 || refusalsInARow >= IN_A_ROW,
    isResting: () => performance.now() < restsUntil,
    note(given) {
      const asked = excuse(given)
      counts.asked += 1
      counts.tokens += asked.tokens
      if (asked.kind === 'failed') noteFailure(asked)
      else failuresInARow = 0
      if (asked.kind === 'refused') {
        counts.refused[asked.why] += 1
        refusalsInARow += 1
      } else if (asked.kind === 'answered') {
        hasAnswered = true
        refusalsInARow = 0
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
