/** Day numbers of the Gregorian calendar: days since 1970-01-01, without clock or time zone. */
import type { Days } from '../claim.ts'

function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  )
}

function daysIn(year: number, month: number): number {
  return (
    dayNumber(month === 12 ? year + 1 : year, month === 12 ? 1 : month + 1, 1) - dayNumber(year, month, 1)
  )
}

export function dayOf(year: number, month: number, day: number): Days | null {
  if (day < 1 || month < 1 || month > 12 || day > daysIn(year, month)) return null
  const number = dayNumber(year, month, day)
  return [number, number]
}

/** From the first of one month to the last of another of the same year. */
export function monthsOf(year: number, from: number, to: number): Days {
  return [dayNumber(year, from, 1), dayNumber(year, to, daysIn(year, to))]
}

export function yearOf(year: number): Days {
  return monthsOf(year, 1, 12)
}

/** The first day of a stretch of whole months that ends on a given day. */
export function monthsBefore(last: number, months: number): number {
  const [year, month, day] = civil(last)
  const total = year * 12 + (month - 1) - months
  const [startYear, startMonth] = [Math.floor(total / 12), (total % 12) + 1]
  const length = daysIn(startYear, startMonth)
  // A stretch that ends with a month begins with one.
  const ends = day === daysIn(year, month)
  return dayNumber(startYear, startMonth, ends ? length : Math.min(day, length)) + 1
}

/** Year, month and day of a day number. */
export function civil(number: number): [year: number, month: number, day: number] {
  const shifted = number + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return [
    yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  ]
}
