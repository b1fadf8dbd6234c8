/** Whether two values of one kind say the same. */
import type { DateValue, NameValue, Value, WordValue } from '@concord/reading/src/claim.ts'
import { compareNumbers, type NumberVerdict } from './numbers.ts'

function compareDates(a: DateValue, b: DateValue): NumberVerdict {
  const [aFirst, aLast] = a.days
  const [bFirst, bLast] = b.days
  if (aFirst === bFirst && aLast === bLast) return 'same'
  if (aFirst > bLast || bFirst > aLast) return 'different'
  return (aFirst >= bFirst && aLast <= bLast) || (bFirst >= aFirst && bLast <= aLast) ? 'same' : 'refinement'
}

const maxMiscopied = 2

/** Nearly alike: signs that changed places, or one that is another and not the last, for the last one counts a series up. */
function isMiscopied(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  const apart = Array.from(a, (sign, at) => (sign === b.charAt(at) ? -1 : at)).filter((at) => at !== -1)
  const [first = 0, last = 0] = [apart[0], apart.at(-1)]
  if (apart.length === maxMiscopied)
    return (
      last - first <= maxMiscopied && a.charAt(first) === b.charAt(last) && a.charAt(last) === b.charAt(first)
    )
  return apart.length === 1 && first < a.length - maxMiscopied && /\d/.test(a.charAt(first) + b.charAt(first))
}

function compareWords(a: WordValue, b: WordValue): NumberVerdict {
  if (a.family !== b.family) return 'other_unit'
  if (a.word === b.word) return 'same'
  return a.family === 'code' && !isMiscopied(a.word, b.word) ? 'other_unit' : 'different'
}

function initialOf(shorter: string, longer: string): boolean {
  return shorter.length === 1 && longer.startsWith(shorter)
}

/** One name holds the other, in words or initials: "J. Tandel", "Tandel" and "Joris Tandel" are one. */
function holds(longer: readonly string[], shorter: readonly string[]): boolean {
  return shorter.every((word) =>
    longer.some((other) => other === word || initialOf(word, other) || initialOf(other, word)),
  )
}

function spelt(words: readonly string[]): string {
  return words.map((word) => word[0] ?? '').join('')
}

function compareNames(a: NameValue, b: NameValue): NumberVerdict {
  if (a.words.length === 0 || b.words.length === 0) return 'refinement'
  if (holds(a.words, b.words) || holds(b.words, a.words)) return 'same'
  const short = a.words.length === 1 ? a.words[0] : b.words.length === 1 ? b.words[0] : undefined
  if (short !== undefined && (short === spelt(a.words) || short === spelt(b.words))) return 'same'
  return 'different'
}

/** Existence against existence, or against a count: none is nought, some is one or more. */
function existsIn(value: Value): boolean | null {
  if (value.type === 'existence') return value.exists
  if (value.type === 'word') return value.word === 'yes'
  if (value.type !== 'number') return null
  const least = value.low ?? 0
  if (least > 0) return true
  return value.high === 0 ? false : null
}

function compareExistence(a: Value, b: Value): NumberVerdict {
  const inA = existsIn(a)
  const inB = existsIn(b)
  if (inA === null || inB === null) return 'other_unit'
  return inA === inB ? 'same' : 'different'
}

function asksWhether(value: Value): boolean {
  return value.type === 'existence' || (value.type === 'word' && value.family === 'yes-no')
}

export function compareValues(a: Value, b: Value): NumberVerdict {
  if (asksWhether(a) || asksWhether(b)) return compareExistence(a, b)
  if (a.type === 'number' && b.type === 'number') return compareNumbers(a, b)
  if (a.type === 'date' && b.type === 'date') return compareDates(a, b)
  if (a.type === 'word' && b.type === 'word') return compareWords(a, b)
  if (a.type === 'name' && b.type === 'name') return compareNames(a, b)
  return 'other_unit'
}
