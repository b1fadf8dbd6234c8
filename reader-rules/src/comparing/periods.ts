/** Whether two claims speak of the same time. */
import type { Claim, Days } from '@concord/reading/src/claim.ts'
import type { Prepared } from './prepared.ts'

/** `apart`: both are given and do not meet, as do a count in June and one in March. `other`: they meet but are not one time. `open`: neither gives one, `lopsided`: one does. `implied`: one does, and the other was told soon after it. */
export type PeriodMatch = 'equal' | 'within' | 'implied' | 'open' | 'lopsided' | 'apart' | 'other'

/** Ends of periods are counted differently by a day or two. */
const slack = 3
const shortest = 31
const stale = 60
/** So long after its end a period is still what a report means by its figures; a third of its length comes on top. */
const fresh = 45

function length([first, last]: Days): number {
  return last - first + 1
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= slack
}

/** A figure of a stretch of time is not that of a longer one, but a state at its end is. */
function insideOf(inner: Days, outer: Days, sums: boolean): PeriodMatch {
  if (!sums) return 'within'
  return length(inner) <= shortest && length(inner) <= 1 + slack && near(inner[1], outer[1])
    ? 'within'
    : 'other'
}

/** Whether a value is a sum, rate or measurement of its period, and not a state that lasts. */
function sumsUp(claim: Claim): boolean {
  return claim.value.type === 'number'
}

export function comparePeriods(a: Prepared, b: Prepared): PeriodMatch {
  const x = a.claim.period
  const y = b.claim.period
  if (x === null || y === null) return compareOneSided(a, b)
  // A person who holds a role holds it from that day on: two beginnings do not part two holders.
  if (a.family === 'who') return near(x[0], y[0]) ? 'equal' : 'open'
  return compareDays(x, y, sumsUp(a.claim) && sumsUp(b.claim))
}

/** A figure without a date is that of the time it is told: long before or after, it is another one. */
function compareOneSided(a: Prepared, b: Prepared): PeriodMatch {
  const period = a.claim.period ?? b.claim.period
  if (period === null) return 'open'
  const told = a.claim.period === null ? a.claim.assertedAt : b.claim.assertedAt
  if (told === null || !sumsUp(a.claim) || !sumsUp(b.claim)) return 'lopsided'
  const since = told - period[1]
  if (since >= 0 && since <= fresh + length(period) / 3) return 'implied'
  const counted = a.family === 'count' && b.family === 'count' && isMoment(period)
  return counted && Math.abs(since) > stale && !announces(a) && !announces(b) ? 'other' : 'lopsided'
}

function announces({ claim }: Prepared): boolean {
  return claim.replaces !== null
}

function compareDays(x: Days, y: Days, sums: boolean): PeriodMatch {
  if (near(x[0], y[0]) && near(x[1], y[1])) return 'equal'
  if (x[0] > y[1] || y[0] > x[1]) return 'apart'
  if (holds(y, x)) return insideOf(x, y, sums)
  if (holds(x, y)) return insideOf(y, x, sums)
  return sums ? 'other' : 'within'
}

function holds(outer: Days, inner: Days): boolean {
  return inner[0] >= outer[0] && inner[1] <= outer[1]
}

/** A single day, or the month that stands for its end. */
export function isMoment(days: Days | null): boolean {
  return days !== null && length(days) <= shortest
}

/** An event after a denial does not gainsay it. */
export function happenedLater(denial: Prepared, event: Prepared): boolean {
  const { assertedAt } = denial.claim
  return assertedAt !== null && event.claim.period !== null && event.claim.period[0] > assertedAt
}

const lengths: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    'year',
    /\b(?:full[- ]year|(?:for|of|in|during|over) the (?:\w+ )?year|annual(?:ly)?|yearly|twelve months|12 months|per annum|a year)\b/i,
  ],
  ['half', /\b(?:half[- ]year|six months|6 months|first half|second half)\b/i],
  ['quarter', /\b(?:quarter(?:ly)?|three months|3 months)\b/i],
  ['month', /\b(?:(?:for|of|in|during|over) the month|monthly|a month|per month|per calendar month)\b/i],
]

function lengthsIn(quote: string): string[] {
  return lengths.filter(([, pattern]) => pattern.test(quote)).map(([name]) => name)
}

/** One sentence speaks of a quarter and the other of a year, where neither says which. */
export function ofOtherLength(a: Prepared, b: Prepared): boolean {
  // "Three months" and "six months" are the values themselves.
  if (a.family === 'duration' || b.family === 'duration') return false
  if (!sumsUp(a.claim) || !sumsUp(b.claim) || (a.claim.period !== null && b.claim.period !== null))
    return false
  const x = lengthsIn(a.claim.quote)
  const y = lengthsIn(b.claim.quote)
  return x.length > 0 && y.length > 0 && !x.some((name) => y.includes(name))
}
