/** Days and periods as people and programs write them: the shortest form that says exactly the same days. */
import type { Days } from './claim.ts'

const DAY_MS = 86_400_000

export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** How many months a whole period has, and how it is written once its year is. */
const WHOLE: readonly (readonly [months: number, write: (month: number) => string])[] = [
  [12, () => ''],
  [6, (month) => `-H${month / 6 + 1}`],
  [3, (month) => `-Q${month / 3 + 1}`],
  [1, (month) => `-${String(month + 1).padStart(2, '0')}`],
]

/** `2025`, `2025-H1`, `2025-Q3`, `2025-09`, `2025-09-30`; any other days as the first and the last with a slash. */
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
