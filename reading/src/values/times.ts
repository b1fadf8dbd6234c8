/** Dates and periods as a sentence gives them: alone, from one to another, several days of one month. */
import type { Days } from '../claim.ts'
import { calendarDateAt, calendarYear, dated, dayNameAt, type Day, type FoundDate } from './dates.ts'
import { civil } from './calendar.ts'
import type { Meaning } from './lexicon.ts'
import type { ValueLine } from './line.ts'
import { numeralAt } from './numbers.ts'
import { endedAt, periodAt } from './periods.ts'

/** The date or period at a token; `days` is null where it says too little to be a value. */
export function timeAt(line: ValueLine, at: number): FoundDate | null {
  const token = line.tokens[at]
  if (token?.digits?.form === 'clock') return { days: null, first: at, next: at + 1, sure: true }
  if (token?.type === 'number') {
    const days = daysOfMonthAt(line, at)
    if (days !== null) return days
  }
  const stretch = stretchAt(line, at)
  if (stretch !== null) return stretch
  const date = calendarDateAt(line, at)
  if (date !== null) return rangeFrom(line, at, date)
  if (isNoYear(line, at)) return null
  const period = periodAt(line, at)
  return period === null ? null : rangeFrom(line, at, period)
}

/** `nine months ended 30 September 2023` */
function stretchAt(line: ValueLine, at: number): FoundDate | null {
  const numeral = isNumber(line, at) ? numeralAt(line, at) : null
  if (numeral === null || numeral.share || numeral.step < 1) return null
  const noun = line.sign(numeral.next) === '-' ? numeral.next + 1 : numeral.next
  return line.tokens[noun]?.meaning?.unit?.kind === 'duration' ? endedAt(line, at, noun, numeral.value) : null
}

function isNumber(line: ValueLine, at: number): boolean {
  const token = line.tokens[at]
  if (token === undefined) return false
  return token.type === 'number' || token.meaning?.small !== undefined || token.meaning?.tens !== undefined
}

/** `12 to 18 October 2023`, `23 and 24 May 2023`, `9, 10 and 17 October 2023`: what stands before a month are days. */
function daysOfMonthAt(line: ValueLine, at: number): FoundDate | null {
  const first = dayNameAt(line, at)
  if (first === null) return null
  let last: Day = first
  let lastAt = at
  let range = false
  for (let count = 0; count < 8; count += 1) {
    const joint = jointOf(line, last.next)
    const day = joint === null ? null : dayNameAt(line, last.next + 1)
    if (day === null || day.day <= last.day) break
    range = joint === 'range'
    lastAt = last.next + 1
    last = day
  }
  const date = lastAt === at ? null : calendarDateAt(line, lastAt)
  if (date === null) return null
  if (date.days === null) return { ...date, first: at }
  const day = date.days[1] - (last.day - first.day)
  // The other days of a list are read in their turn.
  return range
    ? { ...date, first: at, days: [day, date.days[1]] }
    : { days: [day, day], first: at, next: first.next, sure: true }
}

function jointOf(line: ValueLine, at: number): 'range' | 'list' | null {
  const [word, sign] = [line.word(at), line.sign(at)]
  if (word === 'to' || word === 'until' || sign === '–' || (sign === '-' && line.isGlued(at))) return 'range'
  return word === 'and' || word === 'or' || sign === ',' || sign === '&' || sign === '/' ? 'list' : null
}

/** `15 April to 16 May 2024`, `January–March 2024`, `2019 to 2021`; `moved from A to B` are two dates. */
function rangeFrom(line: ValueLine, at: number, date: FoundDate): FoundDate {
  const joint = dateJoint(line, at, date)
  if (joint === null) return date
  const second = calendarDateAt(line, date.next + 1) ?? periodAt(line, date.next + 1)
  if (second === null || second.days === null) return date
  const start = date.open === undefined ? date.days : inYearOf(date.open, second.days[1])
  if (start === null) return date
  if (joint === 'list' || start[0] >= second.days[0]) return { ...date, days: start }
  const days: Days = [start[0], second.days[1]]
  return { days, first: date.first, next: second.next, sure: date.sure && second.sure }
}

const until = new Set(['to', 'until', 'through'])

/** Whether what follows a date is the end of a range, or another date that gives it its year. */
function dateJoint(line: ValueLine, at: number, date: FoundDate): 'range' | 'list' | null {
  const [word, sign] = [line.word(date.next), line.sign(date.next)]
  if (word === 'and') {
    if (line.word(at - 1) === 'between') return 'range'
    return date.open === undefined ? null : 'list'
  }
  const dash = sign === '–' || sign === '—' || (sign === '-' && line.isGlued(date.next))
  if (!dash && !until.has(word)) return null
  return line.word(at - 1) === 'from' ? 'list' : 'range'
}

/** A date that leaves its year to the one behind it. */
function inYearOf(open: NonNullable<FoundDate['open']>, day: number): Days | null {
  const [year, month] = civil(day)
  return dated(open.month > month ? year - 1 : year, open.month, open.day)
}

/** Four digits that are no year: an amount in a table, `2000 people`, `2024 kg`. */
function isNoYear(line: ValueLine, at: number): boolean {
  if (calendarYear(line, at) === null) return false
  const { currency, scale, unit } = line.hints
  if (currency !== undefined || scale !== undefined || unit !== undefined) return true
  const behind = line.tokens[at + 1]
  if (behind === undefined) return false
  if (behind.meaning !== undefined) return isMeasuring(behind.meaning)
  const round = (line.integer(at) ?? 1) % 100 === 0
  return behind.sign === '%' || (round && line.isLowerWord(at + 1))
}

/** `2024 kg`, `2000 euros`, but `the 2023 year` and `2024E`. */
function isMeasuring({ scale, currency, unit, text }: Meaning): boolean {
  if (scale !== undefined || currency !== undefined) return true
  if (unit === undefined || text.length === 1) return false
  return unit.kind === 'measure' || text.endsWith('s')
}
