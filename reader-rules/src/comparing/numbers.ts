/** Two numbers as printed: the same, one inside the other, or different. */
import type { NumberValue } from '@concord/reading/src/claim.ts'
import { sameNumber } from '@concord/reading/src/values.ts'
import { canonicalWord } from './words.ts'

export type NumberVerdict = 'same' | 'refinement' | 'different' | 'other_unit'

function isRange(value: NumberValue): boolean {
  return value.low !== null && value.high !== null && value.low !== value.high
}

function isSame(a: NumberValue, b: NumberValue): boolean {
  return sameNumber(a, b) === 'same'
}

function point(value: NumberValue, at: number): NumberValue {
  return { ...value, low: at, high: at, bound: null }
}

/** Two ranges with one end in common are two rules; one strictly within the other only says more. */
function compareRanges(a: NumberValue, b: NumberValue): NumberVerdict {
  const lowSame = isSame(point(a, a.low ?? 0), point(b, b.low ?? 0))
  const highSame = isSame(point(a, a.high ?? 0), point(b, b.high ?? 0))
  if (lowSame && highSame) return 'same'
  if (lowSame || highSame) return 'different'
  return holds(a, b) || holds(b, a) ? 'refinement' : 'different'
}

function holds(outer: NumberValue, inner: NumberValue): boolean {
  return (outer.low ?? 0) <= (inner.low ?? 0) && (outer.high ?? 0) >= (inner.high ?? 0)
}

/** "every two years" and "a cycle of two years" are one length of time. */
function unitOf({ unit }: NumberValue): string {
  return canonicalWord(unit.startsWith('every ') ? unit.slice('every '.length) : unit)
}

/** A deduction is printed with its sign in a table and without it in a sentence. */
function onlySignDiffers(a: NumberValue, b: NumberValue): boolean {
  if (a.low === null || b.low === null || isRange(a) || isRange(b)) return false
  return a.low * b.low < 0 && isSame(point(a, -a.low), point(b, b.low))
}

export function compareNumbers(a: NumberValue, b: NumberValue): NumberVerdict {
  const unit = unitOf(a)
  if (unit !== unitOf(b)) return 'other_unit'
  const [x, y] = [a.unit === unit ? a : { ...a, unit }, b.unit === unit ? b : { ...b, unit }]
  if (onlySignDiffers(x, y)) return 'refinement'
  if (isRange(x) && isRange(y)) return compareRanges(x, y)
  const found = sameNumber(x, y)
  if (found === 'compatible') return 'refinement'
  return found === 'differ' ? 'different' : found
}
