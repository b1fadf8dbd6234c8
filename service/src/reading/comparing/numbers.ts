/** Two numbers as printed: the same, one inside the other, or different. */
import type { NumberValue } from '../../domain/claim.ts'
import { canonicalWord } from './words.ts'

export type Verdict = 'same' | 'refinement' | 'different' | 'other_unit'

const aboutTolerance = 0.03

function tolerance(a: NumberValue, b: NumberValue, size: number): number {
  const printed = Math.max(a.step, b.step) / 2
  const rough = a.about || b.about ? size * aboutTolerance : 0
  return Math.max(printed, rough) * (1 + 1e-9) + size * 1e-9
}

function near(x: number, y: number, a: NumberValue, b: NumberValue): boolean {
  return Math.abs(x - y) <= tolerance(a, b, Math.max(Math.abs(x), Math.abs(y)))
}

function isRange(value: NumberValue): boolean {
  return value.low !== null && value.high !== null && value.low !== value.high
}

/** Two bounds of the same direction are two rules, so they are held against each other like points. */
function boundOf(value: NumberValue): { readonly side: 'low' | 'high'; readonly at: number } | null {
  if (value.bound === null) return null
  const side = value.bound === 'min' || value.bound === 'over' ? 'low' : 'high'
  const at = side === 'low' ? (value.low ?? value.high) : (value.high ?? value.low)
  return at === null ? null : { side, at }
}

function within(inner: NumberValue, outer: NumberValue): boolean {
  const room = tolerance(inner, outer, Math.abs(inner.low ?? inner.high ?? 0))
  return (
    (outer.low === null || (inner.low !== null && inner.low >= outer.low - room)) &&
    (outer.high === null || (inner.high !== null && inner.high <= outer.high + room))
  )
}

function ends(value: NumberValue): { readonly low: number; readonly high: number } {
  const bound = boundOf(value)
  if (bound?.side === 'low') return { low: bound.at, high: Number.POSITIVE_INFINITY }
  if (bound?.side === 'high') return { low: Number.NEGATIVE_INFINITY, high: bound.at }
  return { low: value.low ?? Number.NEGATIVE_INFINITY, high: value.high ?? Number.POSITIVE_INFINITY }
}

function compareRanges(a: NumberValue, b: NumberValue): Verdict {
  const lowSame = a.low === b.low || (a.low !== null && b.low !== null && near(a.low, b.low, a, b))
  const highSame = a.high === b.high || (a.high !== null && b.high !== null && near(a.high, b.high, a, b))
  if (lowSame && highSame) return 'same'
  if (lowSame || highSame) return 'different'
  return within(a, b) || within(b, a) ? 'refinement' : 'different'
}

function comparePoints(a: NumberValue, b: NumberValue): Verdict {
  const boundA = boundOf(a)
  const boundB = boundOf(b)
  if (boundA !== null && boundB !== null && boundA.side === boundB.side) {
    return near(boundA.at, boundB.at, a, b) ? 'same' : 'different'
  }
  const x = ends(a)
  const y = ends(b)
  const room = tolerance(a, b, Math.abs(Number.isFinite(x.low) ? x.low : x.high))
  if (x.low > y.high + room || y.low > x.high + room) return 'different'
  return boundA === null && boundB === null && !isRange(a) && !isRange(b) ? 'same' : 'refinement'
}

/** "every two years" and "a cycle of two years" are one length of time. */
function unitOf({ unit }: NumberValue): string {
  return canonicalWord(unit.startsWith('every ') ? unit.slice('every '.length) : unit)
}

/** A deduction is printed with its sign in a table and without it in a sentence. */
function onlySignDiffers(a: NumberValue, b: NumberValue): boolean {
  if (a.low === null || b.low === null || isRange(a) || isRange(b)) return false
  return a.low * b.low < 0 && near(-a.low, b.low, a, b)
}

export function compareNumbers(a: NumberValue, b: NumberValue): Verdict {
  if (unitOf(a) !== unitOf(b)) return 'other_unit'
  if (onlySignDiffers(a, b)) return 'refinement'
  return isRange(a) && isRange(b) ? compareRanges(a, b) : comparePoints(a, b)
}
