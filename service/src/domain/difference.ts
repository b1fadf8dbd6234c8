/** Computes the difference of two values, if it can be measured. */
import type { DateValue, NumberValue, Value } from './claim.ts'

export interface ValueDifference {
  /** The distance between the nearest ends of both. */
  readonly amount: number
  readonly unit: string
  /** The difference as a share of the larger value; null for dates, which have no size. */
  readonly share: number | null
}

export function differenceOf(a: Value, b: Value): ValueDifference | null {
  if (a.type === 'number' && b.type === 'number') return betweenNumbers(a, b)
  if (a.type === 'date' && b.type === 'date') return betweenDates(a, b)
  return null
}

function betweenNumbers(a: NumberValue, b: NumberValue): ValueDifference | null {
  if (a.unit !== b.unit) return null
  const ends = nearestEnds(a, b) ?? nearestEnds(b, a)
  if (!ends) return null
  const [below, above] = ends
  const size = Math.max(Math.abs(below), Math.abs(above))
  const amount = above - below
  return { amount: withoutNoise(amount), unit: a.unit, share: Number((amount / size).toFixed(4)) }
}

/** Returns the upper end of one value and the lower end of the other, if one range is below the other. */
function nearestEnds(one: NumberValue, other: NumberValue): readonly [number, number] | undefined {
  return one.high !== null && other.low !== null && one.high < other.low ? [one.high, other.low] : undefined
}

function betweenDates({ days: a }: DateValue, { days: b }: DateValue): ValueDifference | null {
  const amount = Math.max(a[0] - b[1], b[0] - a[1])
  return amount > 0 ? { amount, unit: 'd', share: null } : null
}

/** Rounds away the floating-point error of a subtraction of decimals. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12))
}
