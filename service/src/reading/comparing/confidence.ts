/** How probable it is that a person would call a disagreement a valid finding. A table by rule, and what raises or lowers it. */
import type { AttributeMatch } from './attributes.ts'
import type { PeriodMatch } from './periods.ts'
import type { Prepared } from './prepared.ts'
import type { SubjectMatch } from './subjects.ts'
import { vagueHeads } from './words.ts'

export type Rule =
  | 'correction'
  | 'restated'
  | 'named_change'
  | 'change'
  | 'value'
  | 'date'
  | 'identity'
  | 'status'
  | 'level'
  | 'existence'

/** First guesses, to be replaced by what measuring says of each rule. */
const priors: Readonly<Record<Rule, number>> = {
  correction: 0.9,
  named_change: 0.85,
  restated: 0.75,
  change: 0.6,
  value: 0.7,
  date: 0.7,
  identity: 0.6,
  status: 0.6,
  level: 0.65,
  existence: 0.55,
}

/** What is less probable is not reported. */
export const reportedFrom = 0.5

interface Grounds {
  readonly subject: SubjectMatch
  readonly period: PeriodMatch
  readonly attribute: AttributeMatch
  readonly context: number
}

const bySubject: Readonly<Record<SubjectMatch, number>> = {
  equal: 0.1,
  within: 0.06,
  unsure: -0.05,
  other: -1,
}
const byPeriod: Readonly<Record<PeriodMatch, number>> = {
  equal: 0.08,
  within: 0.04,
  unsure: -0.04,
  apart: 0,
  other: -1,
}

function byAttribute(a: Prepared, b: Prepared, match: AttributeMatch): number {
  const vague = vagueHeads.has(a.head) && vagueHeads.has(b.head) ? -0.1 : 0
  if (match.strength < 1) return vague - 0.2 * (1 - match.strength)
  return vague + (a.narrowing.length > 0 && b.narrowing.length > 0 ? 0.07 : -0.03)
}

function byContext(words: number): number {
  if (words === 0) return -0.06
  return Math.min(words, 6) * 0.015
}

/** Two places, so that equal grounds give equal figures whatever the order of additions. */
function rounded(value: number): number {
  return Math.round(Math.min(0.98, Math.max(0.02, value)) * 100) / 100
}

export function confidenceOf(rule: Rule, a: Prepared, b: Prepared, grounds: Grounds): number {
  const read = Math.min(a.claim.confidence, b.claim.confidence)
  const sum =
    priors[rule] +
    bySubject[grounds.subject] +
    byPeriod[grounds.period] +
    byAttribute(a, b, grounds.attribute) +
    byContext(grounds.context) +
    (read - 0.8) * 0.3
  return rounded(sum)
}
