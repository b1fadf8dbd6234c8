/** Days and months: `31 December 2023`, `Dec. 31, 2023`, `31.12.2023`, `26-APR-2023`, `May 2023`, `the seventeenth of August`. */
import type { Days } from '../claim.ts'
import { dayOf, monthsOf } from './calendar.ts'
import type { ValueLine } from './line.ts'

export interface FoundDate {
  /** Null for a date that has no year and gets none from a hint: no value, but no count either. */
  readonly days: Days | null
  readonly first: number
  readonly next: number
  /** False where day and month could be the other way round. */
  readonly sure: boolean
  /** Day and month of a date whose year stands behind its neighbour. */
  readonly open?: { readonly month: number; readonly day: number | null }
}

export function calendarDateAt(line: ValueLine, at: number): FoundDate | null {
  const token = line.tokens[at]
  if (token === undefined) return null
  if (token.digits?.form === 'triple') return tripleAt(line, at)
  if (token.type === 'number' || token.meaning?.ordinal !== undefined || token.meaning?.tens !== undefined)
    return dayFirstAt(line, at)
  return token.meaning?.month !== undefined ? monthFirstAt(line, at) : null
}

function tripleAt(line: ValueLine, at: number): FoundDate | null {
  const digits = line.tokens[at]?.digits
  if (digits?.form !== 'triple') return null
  const { year, first, second } = digits
  if (digits.yearFirst) return { days: dayOf(year, first, second), first: at, next: at + 1, sure: true }
  const told = first > 12 || second > 12 || first === second || digits.dayFirst
  const dayFirst = digits.dayFirst || (line.hints.dayFirst ?? true)
  const swapped = second > 12 || (!dayFirst && first <= 12)
  const days = swapped ? dayOf(year, first, second) : dayOf(year, second, first)
  return { days, first: at, next: at + 1, sure: told || line.hints.dayFirst !== undefined }
}

/** A month is one only with a capital letter; `May` needs a day or a year beside it. */
export function monthAt(line: ValueLine, at: number): number | null {
  const token = line.tokens[at]
  return token?.meaning?.month !== undefined && token.capital ? token.meaning.month : null
}

export interface Day {
  readonly day: number
  readonly next: number
}

/** `31`, `31st`, `seventeenth`, `twenty-first` */
export function dayNameAt(line: ValueLine, at: number): Day | null {
  const token = line.tokens[at]
  if (token?.type === 'number') return dayInDigits(line, at)
  const ordinal = token?.meaning?.ordinal
  if (ordinal !== undefined) return { day: ordinal, next: at + 1 }
  const tens = token?.meaning?.tens
  const behind = line.tokens[at + 2]?.meaning?.ordinal ?? 10
  return tens === undefined || line.sign(at + 1) !== '-' || behind > 9
    ? null
    : { day: tens + behind, next: at + 3 }
}

function dayInDigits(line: ValueLine, at: number): Day | null {
  const day = line.integer(at) ?? twoDigits(line.raw(at))
  if (day === null || day < 1 || day > 31) return null
  const ending = /^(?:st|nd|rd|th)$/.test(line.word(at + 1)) && line.isGlued(at + 1)
  return { day, next: ending ? at + 2 : at + 1 }
}

function twoDigits(raw: string): number | null {
  return /^0[1-9]$/.test(raw) ? Number(raw) : null
}

/** `17.08.` without a year, as on the continent; at the end of a sentence it is a decimal. */
function shortDayAt(line: ValueLine, at: number): FoundDate | null {
  if (line.sign(at + 1) !== '.' || !line.isGlued(at + 1)) return null
  const behind = line.tokens[at + 2]
  if (behind === undefined || behind.capital || !/^[0-3]?\d\.[01]\d$/.test(line.raw(at))) return null
  const [day = 0, month = 0] = line.raw(at).split('.').map(Number)
  const days = dayOf(line.hints.year ?? 2000, month, day)
  if (days === null) return null
  return { days: line.hints.year === undefined ? null : days, first: at, next: at + 2, sure: true }
}

function dayFirstAt(line: ValueLine, at: number): FoundDate | null {
  const short = shortDayAt(line, at)
  if (short !== null) return short
  const day = dayNameAt(line, at)
  if (day === null) return null
  let next = day.next
  const joint = line.sign(next)
  if ((joint === '.' || joint === '-' || joint === '/') && line.isGlued(next)) next += 1
  else if (line.word(next) === 'day' && line.word(next + 1) === 'of') next += 2
  else if (line.word(next) === 'of') next += line.word(next + 1) === 'the' ? 2 : 1
  const month = monthAt(line, next)
  if (month === null) return null
  return withYear(line, at, afterMonth(line, next), month, day.day)
}

/** Behind the full stop of `Dec.` */
function afterMonth(line: ValueLine, at: number): number {
  const short = line.sign(at + 1) === '.' && line.isGlued(at + 1) && line.raw(at).length <= 4
  return short && line.tokens[at + 2] !== undefined ? at + 2 : at + 1
}

function withYear(line: ValueLine, first: number, at: number, month: number, day: number | null): FoundDate {
  const year = yearAfter(line, at, line.isGlued(first + 1))
  const known = year?.year ?? line.yearOf(month)
  const next = year?.next ?? at
  if (known === undefined) return { days: null, first, next, sure: true, open: { month, day } }
  return {
    days: dated(known, month, day),
    first,
    next,
    sure: true,
    ...(year === null ? { open: { month, day } } : {}),
  }
}

export function dated(year: number, month: number, day: number | null): Days | null {
  return day === null ? monthsOf(year, month, month) : dayOf(year, month, day)
}

/** `2023`, `, 2023`, `-2023`, `'23` behind a month; two digits behind a hyphen only in `26-APR-23`. */
function yearAfter(line: ValueLine, at: number, hyphened: boolean): { year: number; next: number } | null {
  const sign = line.sign(at)
  const glued = line.isGlued(at + 1)
  const quote = glued && (sign === "'" || sign === '’')
  const hyphen = glued && (sign === '-' || sign === '/')
  const place = quote || hyphen || sign === ',' || line.word(at) === 'of' ? at + 1 : at
  const year = calendarYear(line, place)
  if (year !== null) return { year, next: place + 1 }
  const short = quote || (hyphen && hyphened)
  return short && /^\d{2}$/.test(line.raw(place))
    ? { year: 2000 + Number(line.raw(place)), next: place + 1 }
    : null
}

/** Four digits that can only be a year here. */
export function calendarYear(line: ValueLine, at: number): number | null {
  const value = line.integer(at)
  return value !== null && value >= 1800 && value <= 2199 ? value : null
}

function monthFirstAt(line: ValueLine, at: number): FoundDate | null {
  const month = monthAt(line, at)
  if (month === null) return null
  const behind = afterMonth(line, at)
  const the = line.word(behind) === 'the' ? behind + 1 : behind
  const day = dayNameAt(line, the)
  if (day !== null && isDay(line, at, the, day.next)) return dayAfterMonth(line, at, month, day)
  const found = withYear(line, at, behind, month, null)
  const bare = found.open !== undefined
  return bare && (month === 5 || month === 3) && !follows(line, at) ? null : found
}

/** `April 12`, `April 12, 2025`, `April 12-15, 2025` */
function dayAfterMonth(line: ValueLine, at: number, month: number, day: Day): FoundDate {
  const dash = line.sign(day.next) === '-' || line.sign(day.next) === '–'
  const last = dash && line.isGlued(day.next + 1) ? dayNameAt(line, day.next + 1) : null
  const found = withYear(line, at, last?.next ?? day.next, month, last?.day ?? day.day)
  if (last === null || found.days === null || last.day <= day.day) return found
  return { ...found, days: [found.days[1] - (last.day - day.day), found.days[1]] }
}

/** A number behind a month is a day when nothing makes it an amount: `In March 12 companies`, `May 5 %`. */
function isDay(line: ValueLine, month: number, at: number, next: number): boolean {
  const behind = line.tokens[next]
  if (line.isGlued(at) || behind?.sign === '%' || behind?.meaning?.scale !== undefined) return false
  const counted = behind?.type === 'word' && !behind.capital && behind.meaning === undefined
  return !(counted && line.word(month - 1) === 'in')
}

const before = new Set(
  'in by of since until till from during for before after to and last next early late mid end through'.split(
    ' ',
  ),
)

function follows(line: ValueLine, at: number): boolean {
  return before.has(line.word(at - 1))
}
