/** How far two values are apart, where that can be measured. */
import type { DateValue, NumberValue, Value } from './claim.ts'

export interface ValueDifference {
  /** Between the nearest ends of both. */
  readonly amount: number
  readonly unit: string
  /** The share of the larger one; null between dates, which have no size. */
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

/** The highest of the one and the lowest of the other, where all of the one is below all of the other. */
function nearestEnds(one: NumberValue, other: NumberValue): readonly [number, number] | undefined {
  return one.high !== null && other.low !== null && one.high < other.low ? [one.high, other.low] : undefined
}

function betweenDates({ days: a }: DateValue, { days: b }: DateValue): ValueDifference | null {
  const amount = Math.max(a[0] - b[1], b[0] - a[1])
  return amount > 0 ? { amount, unit: 'd', share: null } : null
}

/** Rounds the result of a subtraction of decimals: more digits than any document prints are the machine's own. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12))
}
