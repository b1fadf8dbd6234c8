/** Formats and parses days and periods. Formatting uses the shortest form that covers exactly the same days. */
import type { Days } from './claim.ts'

const DAY_MS = 86_400_000

export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** The periods of whole months: their number of months, and the suffix after the year. */
const WHOLE: readonly (readonly [months: number, write: (month: number) => string])[] = [
  [12, () => ''],
  [6, (month) => `-H${month / 6 + 1}`],
  [3, (month) => `-Q${month / 3 + 1}`],
  [1, (month) => `-${String(month + 1).padStart(2, '0')}`],
]

/**
 * Returns `2025`, `2025-H1`, `2025-Q3`, `2025-09` or `2025-09-30`, and for other periods the first and last day with a
 * slash.
 */
export function formatPeriod([first, last]: Days): string {
  if (first === last) return formatDay(first)
  const start = new Date(first * DAY_MS)
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()]
  const whole = WHOLE.find(([months]) => month % months === 0 && covers(first, last, year, month, months))
  return whole
    ? `${formatDay(first).slice(0, -6)}${whole[1](month)}`
    : `${formatDay(first)}/${formatDay(last)}`
}

function covers(first: number, last: number, year: number, month: number, months: number): boolean {
  return first === Date.UTC(year, month) / DAY_MS && last === Date.UTC(year, month + months, 0) / DAY_MS
}

/**
 * Parses a period in the form of the contract. A day that its month does not have becomes the last day of that month.
 */
export function parsePeriod(period: string): Days {
  const [from = '', to] = period.split('/')
  const [first, end] = parseWhole(from)
  const last = to === undefined ? end : parseWhole(to)[1]
  return first <= last ? [first, last] : [last, first]
}

function parseWhole(text: string): Days {
  const [year = '', part, day] = text.split('-')
  if (day !== undefined) {
    const [, lastOfMonth] = daysOf(Number(year), Number(part) - 1, 1)
    const named = Date.UTC(Number(year), Number(part) - 1, Number(day)) / DAY_MS
    return [Math.min(named, lastOfMonth), Math.min(named, lastOfMonth)]
  }
  if (part === undefined) return daysOf(Number(year), 0, 12)
  const size = { H: 6, Q: 3 }[part[0] ?? '']
  if (size === undefined) return daysOf(Number(year), Number(part) - 1, 1)
  return daysOf(Number(year), (Number(part.slice(1)) - 1) * size, size)
}

function daysOf(year: number, month: number, months: number): Days {
  return [Date.UTC(year, month) / DAY_MS, Date.UTC(year, month + months, 0) / DAY_MS]
}
