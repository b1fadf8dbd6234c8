/**
 * Whether two numbers say the same, as careful readers see it: at the precision they are printed with, within what "about"
 * allows, inside ranges and bounds. Never across units.
 */
import type { NumberValue } from '../claim.ts'

export type Sameness = 'same' | 'differ' | 'compatible' | 'other_unit'

export function sameNumber(a: NumberValue, b: NumberValue): Sameness {
  if (a.unit !== b.unit) return 'other_unit'
  const slack = slackOf(a, b)
  if (a.bound !== null && b.bound !== null) return sameBounds(a, b, slack)
  if (!overlap(a, b, slack)) return 'differ'
  const points = isPoint(a) && isPoint(b)
  const equal = near(a.low, b.low, slack) && near(a.high, b.high, slack)
  return points || (equal && a.bound === b.bound) ? 'same' : 'compatible'
}

/** Half the coarser step, or what `about` and rounding of rounded figures allow, whichever is more. */
function slackOf(a: NumberValue, b: NumberValue): number {
  const size = Math.max(...[a.low, a.high, b.low, b.high].map((end) => Math.abs(end ?? 0)))
  const printed = (Math.max(a.step, b.step) / 2) * (1 + 1e-9)
  const exact = a.step === b.step ? Math.min(printed, size * 1e-9) : printed
  if (a.about || b.about) return Math.max(0.03 * size, exact)
  const coarse = Math.max(a.step, b.step) > 10 * Math.min(a.step, b.step)
  return coarse ? Math.max(exact, Math.min(0.005 * size, Math.max(a.step, b.step))) : exact
}

function isPoint(value: NumberValue): boolean {
  return value.low !== null && value.low === value.high
}

function near(a: number | null, b: number | null, slack: number): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) <= slack
}

function overlap(a: NumberValue, b: NumberValue, slack: number): boolean {
  return reaches(a, b, slack) && reaches(b, a, slack)
}

/** Whether the top of one is at or above the bottom of the other; `more than 5` does not hold 5. */
function reaches(a: NumberValue, b: NumberValue, slack: number): boolean {
  if (a.high === null || b.low === null) return true
  const strict = (a.bound === 'under' || b.bound === 'over') && slack === 0
  return strict ? a.high > b.low : a.high >= b.low - slack
}

/** Two limits on the same side are two statements of one limit; on different sides they may hold both. */
function sameBounds(a: NumberValue, b: NumberValue, slack: number): Sameness {
  const sameSide = (a.low === null) === (b.low === null)
  if (!sameSide) return overlap(a, b, slack) ? 'compatible' : 'differ'
  const equal = near(a.low, b.low, slack) && near(a.high, b.high, slack)
  if (!equal) return 'differ'
  return a.bound === b.bound ? 'same' : 'compatible'
}
