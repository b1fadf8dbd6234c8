/**
 * The meaning of a run of digits and the signs within it: a number, a date, two numbers, or a mere name (`4.2.1`,
 * `0815`). Decided once, by shape; a shape that could be two things is none.
 */

export interface Plain {
  readonly form: 'plain'
  readonly value: number
  /** Digits behind the decimal sign. */
  readonly places: number
  /** How many digits it is written with, without separators. */
  readonly length: number
  readonly grouped: boolean
  /** `4,7`: a number on the continent, a list elsewhere; a unit or a currency must confirm it. */
  readonly comma: boolean
}

export interface Triple {
  readonly form: 'triple'
  /** Year first or last; the other two in the order written. */
  readonly year: number
  readonly first: number
  readonly second: number
  readonly yearFirst: boolean
  /** Dots and hyphens are never used month first where the year stands last. */
  readonly dayFirst: boolean
}

/** Two numbers with a sign between: `54/100`, `3-8`, `1:4`, `2023-24`. */
export interface Pair {
  readonly form: 'pair'
  readonly sign: string
  readonly at: number
  readonly left: Plain
  readonly right: Plain
}

/** `1.4.2`: a version if a word says so. */
export interface Dotted {
  readonly form: 'dotted'
  readonly parts: readonly number[]
}

export interface Clock {
  readonly form: 'clock'
}

export type Digits = Plain | Triple | Pair | Dotted | Clock

/** No number that means anything is longer. */
const longest = 32

export function readDigits(run: string): Digits | null {
  if (run.length > longest) return null
  const plain = readPlain(run)
  if (plain !== null) return plain
  return readJoined(run)
}

const integer = /^\d+$/
const decimal = /^\d+\.\d+$/
const commaDecimal = /^\d+,\d{1,2}$/
const grouped = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/
const swiss = /^[1-9]\d{0,2}(?:['’]\d{3})+(?:\.\d+)?$/
const continental = /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/
const dottedGroups = /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/
const lakhs = /^[1-9]\d?(?:,\d{2})+,\d{3}$/

function readPlain(run: string): Plain | null {
  if (integer.test(run)) return leadingZero(run) ? null : plainOf(run, false)
  if (decimal.test(run)) return /^0\d/.test(run) ? null : plainOf(run, false)
  if (grouped.test(run) || lakhs.test(run)) return plainOf(run.replaceAll(',', ''), true)
  if (commaDecimal.test(run)) return { ...plainOf(run.replace(',', '.'), false), comma: true }
  if (swiss.test(run)) return plainOf(run.replaceAll(/['’]/g, ''), true)
  if (continental.test(run)) return plainOf(run.replaceAll('.', '').replace(',', '.'), true)
  if (dottedGroups.test(run)) return plainOf(run.replaceAll('.', ''), true)
  return null
}

function leadingZero(run: string): boolean {
  return run.length > 2 && run.startsWith('0')
}

function plainOf(run: string, isGrouped: boolean): Plain {
  const dot = run.indexOf('.')
  return {
    form: 'plain',
    value: Number(run),
    places: dot === -1 ? 0 : run.length - dot - 1,
    length: run.length - (dot === -1 ? 0 : 1),
    grouped: isGrouped,
    comma: false,
  }
}

const joints = /[-/:]/
const clock = /^(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:\.\d+)?$/

function readJoined(run: string): Digits | null {
  if (clock.test(run)) return { form: 'clock' }
  const at = run.search(joints)
  if (at === -1) return readDots(run)
  const parts = run.split(joints)
  const sign = run.charAt(at)
  if (parts.length === 3) return readTriple(parts, sign)
  const [left, right] = parts.map(readPlain)
  if (parts.length !== 2 || !left || !right) return null
  return { form: 'pair', sign, at, left, right }
}

function readDots(run: string): Digits | null {
  const parts = run.split('.')
  if (parts.length === 3 && (parts[2]?.length ?? 0) >= 2) {
    const triple = readTriple(parts, '.')
    if (triple !== null) return triple
  }
  return parts.length <= 5 && parts.every((part) => integer.test(part))
    ? { form: 'dotted', parts: parts.map(Number) }
    : null
}

function readTriple(parts: readonly string[], sign: string): Triple | null {
  const [a = '', b = '', c = ''] = parts
  if (!parts.every((part) => integer.test(part)) || b.length > 2) return null
  if (a.length === 4 && c.length <= 2) return tripleOf(a, b, c, true, false)
  if (a.length > 2 || (c.length !== 4 && c.length !== 2)) return null
  const year = c.length === 2 ? String(2000 + Number(c)) : c
  return tripleOf(year, a, b, false, sign !== '/')
}

function tripleOf(
  year: string,
  first: string,
  second: string,
  yearFirst: boolean,
  dayFirst: boolean,
): Triple | null {
  const [one, two] = [Number(first), Number(second)]
  const fits = one >= 1 && two >= 1 && Math.min(one, two) <= 12 && Math.max(one, two) <= 31
  const known = Number(year) >= 1800 && Number(year) <= 2200
  return fits && known
    ? { form: 'triple', year: Number(year), first: one, second: two, yearFirst, dayFirst }
    : null
}
