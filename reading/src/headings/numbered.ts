/** Headings by number: `3.2 Scope of work`, `1  Previous minutes`. */
import { isDigit, isUpper } from '../characters.ts'
import { readKeyed } from '../keys.ts'
import { lineBelow } from '../lines.ts'
import type { Sheet } from '../lines.ts'
import { markerOf } from '../markers.ts'
import { monthsOfAllLanguages } from '../months.ts'
import { foundAt, headsText } from './place.ts'
import type { HeadingFound, HeadingPlace } from './place.ts'
import { afterWord, isCapitals, isTitle } from './words.ts'

const numberWord = /^(\d{1,2}(?:\.\d{1,2}){0,4})([.)]?)$/

/** A number before a short title. What follows must not be its neighbour in a list. */
export function readNumbered(place: HeadingPlace): HeadingFound | null {
  const { text, lines } = place.sheet
  const line = lines[place.index]
  if (line === undefined || !isDigit(text.charCodeAt(line.from))) return null
  const word = afterWord(text, line.from, Math.min(line.to, line.from + 16))
  const found = numberWord.exec(text.slice(line.from, word.end))
  if (found?.[1] === undefined || !isNumberedTitle(text, word.next, line.to)) return null
  const path = found[1].split('.').map(Number)
  const subdivided = isSubdivision(place.sheet, place.index, path)
  // `12 Mole Street` and `3 June 2024` also begin with a number: a bare one needs more.
  const plain = found[2] === '' && path.length === 1 && word.next - word.end < 2
  const clear = subdivided || (place.opens && !plain && isFollowedByText(place.sheet, place.index, path))
  if (!clear) return null
  return { ...foundAt(place, [line.from, line.to], Math.min(7, 2 + path.length)), numbers: path }
}

function isNumberedTitle(text: string, from: number, to: number): boolean {
  if (to - from > 80 || !isUpper(text, from) || !isTitle(text, from, to)) return false
  // `6.3 Audit of subcontractors:   yearly` states something.
  const states = (readKeyed(text, from, to)?.value ?? null) !== null && !isCapitals(text, from, to)
  const word = afterWord(text, from, to)
  return !states && !monthsOfAllLanguages.has(text.slice(from, word.end).toLowerCase())
}

/** The next line carries the number one level down: `1. The property` before `1.1 The Landlord lets …`. */
function isSubdivision(sheet: Sheet, index: number, path: readonly number[]): boolean {
  const next = numbersOf(sheet, index + 1)
  if (
    next === null ||
    next.length !== path.length + 1 ||
    sheet.lines[index + 1]?.quote !== sheet.lines[index]?.quote
  ) {
    return false
  }
  return path.every((number, place) => number === next[place])
}

/** Text further in or after a blank line, and not simply the next number of a list. */
function isFollowedByText(sheet: Sheet, index: number, path: readonly number[]): boolean {
  if (!headsText(sheet, index)) return false
  const next = numbersOf(sheet, index + 1)
  // With bullets right below, it is an item that has items of its own.
  if (isBulleted(sheet, index)) return false
  const sameList =
    next !== null &&
    next.length === path.length &&
    sheet.lines[index + 1]?.indent === sheet.lines[index]?.indent
  return !sameList
}

function isBulleted(sheet: Sheet, index: number): boolean {
  const [line, below] = [sheet.lines[index], lineBelow(sheet, index)]
  if (line === undefined || below === undefined || isCapitals(sheet.text, line.from, line.to)) return false
  return markerOf(sheet.text, below)?.kind === 'bullet'
}

function numbersOf(sheet: Sheet, index: number): number[] | null {
  const line = sheet.lines[index]
  if (line === undefined || !isDigit(sheet.text.charCodeAt(line.from))) return null
  const word = afterWord(sheet.text, line.from, Math.min(line.to, line.from + 16))
  const found = numberWord.exec(sheet.text.slice(line.from, word.end))
  return found?.[1] === undefined ? null : found[1].split('.').map(Number)
}
