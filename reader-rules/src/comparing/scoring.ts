/** How much speaks for a disagreement: a table by rule, and what raises or lowers it. */
import type { NumberValue } from '@concord/reading/src/claim.ts'
import { isDenied, type AttributeMatch } from './attributes.ts'
import type { PeriodMatch } from './periods.ts'
import type { Prepared } from './prepared.ts'
import type { SubjectMatch } from './subjects.ts'
import { flows } from './words.ts'

export type ScoringRule =
  | 'correction'
  | 'restated'
  | 'named_change'
  | 'announced_change'
  | 'change'
  | 'value'
  | 'date'
  | 'identity'
  | 'status'
  | 'level'
  | 'existence'

/** First guesses. What they are worth in the end, `confidence.ts` knows. */
const priors: Readonly<Record<ScoringRule, number>> = {
  correction: 0.9,
  named_change: 0.85,
  restated: 0.6,
  announced_change: 0.66,
  change: 0.6,
  value: 0.67,
  date: 0.67,
  identity: 0.65,
  status: 0.67,
  level: 0.65,
  existence: 0.67,
}

/** A finding that scores less is not reported. */
export const reportedFrom = 0.5

interface Grounds {
  readonly subject: SubjectMatch
  readonly period: PeriodMatch
  readonly attribute: AttributeMatch
  /** Words of both sentences beside the measure. */
  readonly context: number
}

const bySubject: Readonly<Record<SubjectMatch, number>> = {
  equal: 0.1,
  within: 0.06,
  akin: 0.04,
  open: -0.03,
  lopsided: -0.06,
  strange: -0.18,
  part: -0.28,
  other: -1,
}

const byPeriod: Readonly<Record<PeriodMatch, number>> = {
  equal: 0.08,
  within: 0.04,
  implied: -0.02,
  open: -0.03,
  lopsided: -0.15,
  apart: 0,
  other: -1,
}

/** Two reports on two firms give their figures alike; what they tell of events and people is less easily mixed up. */
function subjectWeight(a: Prepared, b: Prepared, match: SubjectMatch): number {
  const weight = bySubject[match]
  const figures = a.claim.value.type === 'number' && b.claim.value.type === 'number'
  return match === 'strange' && !figures ? weight / 3 : weight
}

/** A date, a name or a state needs no period to be held against another; a figure does, a count or a sum most of all. */
function periodWeight(a: Prepared, b: Prepared, match: PeriodMatch): number {
  const weight = byPeriod[match]
  if (weight >= 0) return weight
  if (a.claim.value.type !== 'number' || b.claim.value.type !== 'number') return 0
  // A notice or a guarantee is as long as it is, whenever that is told.
  if (a.family === 'duration') return match === 'open' ? 0 : weight / 2
  const moves = a.family === 'count' || flows.has(a.head) || flows.has(b.head)
  return match === 'lopsided' && moves ? weight - 0.07 : weight
}

/** How much both sentences have in common, measure and all. */
function byWords(rule: ScoringRule, { family }: Prepared, { attribute, context }: Grounds): number {
  const common = attribute.shared * 2 + Math.min(context, 4)
  // A denial and an event are often told in one noun each, as a role is; who says that something is new need not say more.
  const told = rule === 'existence' || rule === 'announced_change' || family === 'who'
  const lone = attribute.shared < 2 && (attribute.strength < 1 || context === 0) && !told
  const thin = lone ? -0.06 : 0
  return Math.min(0.1, (common - 3) * 0.025) - 0.25 * (1 - attribute.strength) + thin
}

/** One replaces a value that the other does not have: it may be about something else. */
function replacesAnother(a: Prepared, b: Prepared, rule: ScoringRule): number {
  const named = rule === 'correction' || rule === 'named_change'
  const replaces = (a.claim.replaces?.value ?? b.claim.replaces?.value ?? null) !== null
  return replaces && !named ? -0.1 : 0
}

function middle({ low, high }: NumberValue): number {
  return ((low ?? high ?? 0) + (high ?? low ?? 0)) / 2
}

const farApart: readonly (readonly [times: number, weight: number])[] = [
  [1.2, 0.05],
  [1.4, 0.02],
  [1.7, -0.02],
  [2.2, -0.06],
  [3.1, -0.12],
  [5, -0.2],
  [10, -0.26],
]
const strangers = -0.32
const handful = 20

/** Two figures of one thing are seldom far apart: what differs tenfold is mostly a part, a sum or something else. */
function byDistance(a: Prepared, b: Prepared, { subject, period }: Grounds): number {
  if (a.claim.value.type !== 'number' || b.claim.value.type !== 'number') return 0
  // Monthly and quarterly are far apart by nature.
  if (a.claim.qualifiers.includes('often') && b.claim.qualifiers.includes('often')) return 0
  const [x, y] = [middle(a.claim.value), middle(b.claim.value)]
  const [small, large] = [Math.min(Math.abs(x), Math.abs(y)), Math.max(Math.abs(x), Math.abs(y))]
  const times = small === 0 ? Number.POSITIVE_INFINITY : large / small
  const weight = farApart.find(([limit]) => times <= limit)?.[1] ?? strangers
  // Terms and small counts differ by much when they differ at all.
  const loose =
    a.family === 'duration' ||
    (a.family === 'count' && large < handful) ||
    (subject === 'equal' && period === 'equal')
  return (loose && weight < 0 ? weight / 2 : weight) + (x * y < 0 ? -0.1 : 0)
}

/** A duty on one side only is a rule against a result. */
function byDuty(a: Prepared, b: Prepared): number {
  if (a.claim.value.type !== 'number') return 0
  return a.duty === b.duty ? 0 : -0.12
}

const longAfter = 90

/** An event told long after a denial, without a date of its own, may have happened since. */
function byDelay(rule: ScoringRule, a: Prepared, b: Prepared): number {
  if (rule !== 'existence') return 0
  const [denial, event] = isDenied(a) ? [a.claim, b.claim] : [b.claim, a.claim]
  if (event.period !== null || denial.assertedAt === null || event.assertedAt === null) return 0
  return event.assertedAt - denial.assertedAt > longAfter ? -0.15 : 0
}

/** A share without its whole, an event without its object, a balance at two dates: easily taken for another. */
function byKind(rule: ScoringRule, { family }: Prepared, { attribute, subject }: Grounds): number {
  if (rule === 'value') return family === 'percent' ? -0.06 : 0
  if (rule === 'change') return family === 'money' ? -0.1 : 0
  const known = attribute.shared > 1 || subject === 'equal' || subject === 'within'
  return rule === 'date' && !known ? -0.12 : 0
}

/** "Consolidated" on one side only may be the group against one of its companies. */
function byExtent(a: Prepared, b: Prepared): number {
  const whole = a.claim.qualifiers.includes('consolidated') !== b.claim.qualifiers.includes('consolidated')
  const parts = a.claim.value.type === 'number' && b.claim.value.type === 'number' && a.part !== b.part
  return (parts ? -0.18 : 0) + (whole ? -0.1 : 0)
}

/** Two long numbers of one thing that are alike but for two signs are hardly ever two things. */
const miscopied = 0.15

/** Two places, so that equal grounds give equal figures whatever the order of additions. */
function rounded(value: number): number {
  return Math.round(Math.min(0.98, Math.max(0.02, value)) * 100) / 100
}

export function scoreOf(rule: ScoringRule, a: Prepared, b: Prepared, grounds: Grounds): number {
  const read = Math.min(a.claim.confidence, b.claim.confidence)
  const sum =
    priors[rule] +
    subjectWeight(a, b, grounds.subject) +
    periodWeight(a, b, grounds.period) +
    byWords(rule, a, grounds) +
    replacesAnother(a, b, rule) +
    (rule === 'announced_change' ? 0 : byDistance(a, b, grounds)) +
    byKind(rule, a, grounds) +
    byDuty(a, b) +
    byDelay(rule, a, b) +
    byExtent(a, b) +
    (a.family === 'word:code' ? miscopied : 0) +
    (read - 0.8) * (rule === 'existence' ? 0.15 : 0.3)
  return rounded(sum)
}
