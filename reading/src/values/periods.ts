/**
 * Stretches of the calendar: years, quarters, halves, `end of March 2024`, `nine months ended 30 September 2023`. A fiscal
 * year is taken for the calendar year it is named after; documents that mean another one say so with dates.
 */
import type { Days } from '../claim.ts'
import { monthsBefore, monthsOf, yearOf } from './calendar.ts'
import { calendarDateAt, calendarYear, monthAt, type FoundDate } from './dates.ts'
import type { ValueLine } from './line.ts'

export function periodAt(line: ValueLine, at: number): FoundDate | null {
  const meaning = line.tokens[at]?.meaning
  if (meaning === undefined) return line.tokens[at]?.type === 'number' ? numberedAt(line, at) : null
  return (
    (meaning.period === undefined ? null : shortAt(line, at)) ??
    (meaning.ordinal === undefined && meaning.text !== 'last' ? null : ordinalAt(line, at)) ??
    (meaning.glue === undefined ? null : phraseAt(line, at))
  )
}

function period(days: Days | null, first: number, next: number): FoundDate {
  return { days, first, next, sure: true }
}

/** A year by number, with what may stand before it: `2023`, `FY23`, `fiscal year 2023`, `calendar 2023`. */
function namedYear(line: ValueLine, at: number): { year: number; next: number } | null {
  let next = at
  while (next - at < 4 && isYearWord(line, next)) next += 1
  const named = next > at
  const joint = line.isGlued(next + 1) ? line.sign(next) : ''
  const quote = joint === "'" || joint === '’'
  if (quote || (named && joint === '-')) next += 1
  const year = calendarYear(line, next) ?? (named || quote ? shortYear(line, next) : null)
  if (year === null) return null
  // `2024E`, `FY23A`
  const marked = line.isGlued(next + 1) && /^[AEFPB]$/.test(line.raw(next + 1))
  return { year, next: marked ? next + 2 : next + 1 }
}

function isYearWord(line: ValueLine, at: number): boolean {
  const meaning = line.tokens[at]?.meaning
  return meaning?.period === 'year' || ['financial', 'calendar', 'year'].includes(meaning?.text ?? '')
}

function shortYear(line: ValueLine, at: number): number | null {
  const raw = line.raw(at)
  return /^\d{2}$/.test(raw) ? 2000 + Number(raw) : null
}

/** `FY2023`, `Q1 2024`, `H1 FY24`, `fiscal 2023/24` */
function shortAt(line: ValueLine, at: number): FoundDate | null {
  const kind = line.tokens[at]?.meaning?.period
  if (kind === 'year') {
    const year = namedYear(line, at)
    return year === null ? null : withSecondYear(line, at, year)
  }
  if (line.tokens[at]?.capital !== true) return null
  const number = line.isGlued(at + 1) ? line.integer(at + 1) : null
  return number === null ? null : partOfYear(line, at, kind === 'quarter' ? 4 : 2, number, at + 2)
}

/** `1H 2023`, `4Q23` and plain years. */
function numberedAt(line: ValueLine, at: number): FoundDate | null {
  const year = namedYear(line, at)
  if (year !== null) return withSecondYear(line, at, year)
  const kind = line.tokens[at + 1]?.meaning?.period
  if (
    (kind !== 'quarter' && kind !== 'half') ||
    !line.isGlued(at + 1) ||
    line.tokens[at + 1]?.capital !== true
  )
    return null
  const number = line.integer(at)
  const found = number === null ? null : partOfYear(line, at, kind === 'quarter' ? 4 : 2, number, at + 2)
  return found?.days === null ? null : found
}

function partOfYear(
  line: ValueLine,
  first: number,
  parts: number,
  number: number,
  at: number,
): FoundDate | null {
  if (number < 1 || number > parts) return null
  let next = at
  if (line.word(next) === 'of') next += line.word(next + 1) === 'the' ? 2 : 1
  else if (['-', '/'].includes(line.sign(next)) && line.isGlued(next + 1)) next += 1
  const year = namedYear(line, next) ?? gluedYear(line, next)
  const length = 12 / parts
  const whole = (known: number) => monthsOf(known, (number - 1) * length + 1, number * length)
  if (year !== null) return period(whole(year.year), first, year.next)
  const likely = line.yearOf((number - 1) * length + 1)
  return period(likely === undefined ? null : whole(likely), first, at)
}

/** `4Q23` */
function gluedYear(line: ValueLine, at: number): { year: number; next: number } | null {
  const year = line.isGlued(at) ? shortYear(line, at) : null
  return year === null ? null : { year, next: at + 1 }
}

/** `2022/23`, `2022–2023`: both years. */
function withSecondYear(line: ValueLine, first: number, year: { year: number; next: number }): FoundDate {
  const days = yearOf(year.year)
  const joint = ['/', '-', '–'].includes(line.sign(year.next)) && line.isGlued(year.next + 1)
  const raw = joint ? line.raw(year.next + 1) : ''
  const second = /^\d{2}$/.test(raw) ? Math.floor(year.year / 100) * 100 + Number(raw) : Number(raw)
  if (!/^\d{2}(?:\d{2})?$/.test(raw) || second <= year.year || second > year.year + 20)
    return period(days, first, year.next)
  return period([days[0], yearOf(second)[1]], first, year.next + 2)
}

const partsOfYear: ReadonlyMap<string, number> = new Map([
  ['quarter', 4],
  ['half', 2],
])

/** `first quarter of 2024`, `second half of fiscal 2023`, `first half of June 2024` */
function ordinalAt(line: ValueLine, at: number): FoundDate | null {
  const parts = partsOfYear.get(line.word(at + 1))
  if (parts === undefined) return null
  const number = line.tokens[at]?.meaning?.ordinal ?? parts
  const halfOfMonth = parts === 2 && number <= 2 ? halfOfMonthAt(line, at, number) : null
  return halfOfMonth ?? partOfYear(line, at, parts, number, at + 2)
}

function halfOfMonthAt(line: ValueLine, at: number, number: number): FoundDate | null {
  const of = line.word(at + 2) === 'of' ? at + 3 : at + 2
  const date = monthAt(line, of) === null ? null : calendarDateAt(line, of)
  if (date === null) return null
  return period(date.days === null ? null : share(date.days, number - 1, 2), at, date.next)
}

/** One of equal shares of a stretch. */
function share(days: Days, index: number, of: number): Days {
  const length = days[1] - days[0] + 1
  return [days[0] + Math.floor((length * index) / of), days[0] + Math.floor((length * (index + 1)) / of) - 1]
}

function phraseAt(line: ValueLine, at: number): FoundDate | null {
  switch (line.word(at)) {
    case 'end':
    case 'start':
    case 'beginning':
      return edgeAt(line, at)
    case 'early':
    case 'mid':
    case 'late':
      return thirdAt(line, at)
    case 'year':
    case 'years':
    case 'quarter':
    case 'month':
    case 'months':
      return endedAt(line, at, at, 1)
    case 'calendar':
    case 'financial': {
      const year = namedYear(line, at)
      return year === null ? endedAt(line, at, at + 1, 1) : withSecondYear(line, at, year)
    }
    default:
      return null
  }
}

function edgeAt(line: ValueLine, at: number): FoundDate | null {
  if (line.word(at + 1) !== 'of') return null
  const place = line.word(at + 2) === 'the' ? at + 3 : at + 2
  const whole = wholeAt(line, place)
  if (whole === null || whole.days === null || whole.days[0] === whole.days[1]) return null
  const days: Days = line.word(at) === 'end' ? [whole.days[1], whole.days[1]] : share(whole.days, 0, 3)
  return period(days, at, whole.next)
}

/** `early 2024`, `mid-2023`, `late March 2024` */
function thirdAt(line: ValueLine, at: number): FoundDate | null {
  const place = line.sign(at + 1) === '-' ? at + 2 : at + 1
  const whole = wholeAt(line, place)
  if (whole === null || whole.days === null || whole.days[0] === whole.days[1]) return null
  const index = line.word(at) === 'early' ? 0 : line.word(at) === 'mid' ? 1 : 2
  return period(share(whole.days, index, 3), at, whole.next)
}

function wholeAt(line: ValueLine, at: number): FoundDate | null {
  const month = monthAt(line, at)
  if (month !== null) return calendarDateAt(line, at)
  const year = namedYear(line, at)
  if (year !== null) return withSecondYear(line, at, year)
  const meaning = line.tokens[at]?.meaning
  if (meaning?.period !== undefined) return shortAt(line, at)
  return meaning?.ordinal === undefined ? null : ordinalAt(line, at)
}

const lengths: Readonly<Record<string, number>> = {
  year: 12,
  years: 12,
  quarter: 3,
  quarters: 3,
  month: 1,
  months: 1,
}

/** `year ended 31 December 2023`; with a number before it, `nine months to 30 September 2023`. */
export function endedAt(line: ValueLine, first: number, at: number, count: number): FoundDate | null {
  const months = (lengths[line.word(at)] ?? 0) * count
  if (months === 0 || months > 240) return null
  const plain = line.word(at) === 'year' ? namedYear(line, at) : null
  if (plain !== null) return withSecondYear(line, first, plain)
  if (!['ended', 'ending', 'to'].includes(line.word(at + 1))) return null
  const date = calendarDateAt(line, at + 2)
  if (date === null) return null
  return period(
    date.days === null ? null : [monthsBefore(date.days[1], months), date.days[1]],
    first,
    date.next,
  )
}
