/**
 * From the score of a rule to the probability that a person would call it a valid finding. The score orders and decides what
 * is reported; what a report of that rule and score has been worth in labelled documents is its confidence.
 */
import type { Judgement } from '@concord/reading/src/finding.ts'
import { calibration } from './calibration.ts'

export interface Calibration {
  /** At which scores the shares below were taken, ascending. */
  readonly scores: readonly number[]
  /** The share of right reports of each rule at each of the scores. */
  readonly rules: Readonly<Record<string, readonly number[]>>
  /** The shares of a rule that has not been seen in labelled documents. */
  readonly others: readonly number[]
}

/** Straight lines between the scores that are noted; two places, as the score has. */
export function calibrated(
  { reason, score }: Pick<Judgement, 'reason' | 'score'>,
  { scores, rules, others }: Calibration,
): number {
  const shares = rules[reason] ?? others
  const above = scores.findIndex((noted) => noted >= score)
  const at = above < 0 ? scores.length - 1 : above
  const [right, share] = [scores[at] ?? 1, shares[at] ?? score]
  const [left, before] = [scores[at - 1] ?? right, shares[at - 1] ?? share]
  const part = right === left ? 0 : (Math.min(score, right) - left) / (right - left)
  return Math.round((at === 0 ? share : before + (share - before) * part) * 100) / 100
}

export function confidenceOf(judgement: Judgement): number {
  return calibrated(judgement, calibration)
}
