/** Headings by look alone: `RISK FACTORS`, a line in bold, `Documents enclosed:`, a short title with room around it. */
import { isUpper } from '../characters.ts'
import { withoutEmphasis } from '../emphasis.ts'
import { keyOf } from '../keys.ts'
import { countWords, firstWord, lineBelow } from '../lines.ts'
import type { Line, Sheet } from '../lines.ts'
import { markerOf } from '../markers.ts'
import { foundAt, goesOn } from './place.ts'
import type { HeadingFound, HeadingPlace } from './place.ts'
import { endsLikeTitle, isCapitals, isTitle } from './words.ts'

export function readCapitals(place: HeadingPlace): HeadingFound | null {
  const { text, lines } = place.sheet
  const line = lines[place.index]
  if (line === undefined || line.to - line.from > 120 || !isCapitals(text, line.from, line.to)) return null
  if (goesOn(place.sheet, place.index) === 'ends' || !endsLikeTitle(text, line)) return null
  // `RISK RATING: HIGH` states something; `(1) HALLAM QUAY ESTATES LTD` is an item.
  if (keyOf(text, line) !== null || markerOf(text, line) !== null) return null
  return foundAt(place, [line.from, line.to], 2)
}

export function readBold(place: HeadingPlace): HeadingFound | null {
  const { text, lines } = place.sheet
  const line = lines[place.index]
  if (line === undefined || line.to - line.from > 90 || !text.startsWith('**', line.from)) return null
  const span = withoutEmphasis(text, [line.from, line.to])
  const inner = { ...line, from: span[0], to: span[1] }
  if (span[0] === line.from || text.slice(...span).includes('**') || !endsLikeTitle(text, inner)) return null
  if (goesOn(place.sheet, place.index) !== 'apart') return null
  return {
    ...foundAt(place, span, 7),
    marks: [
      [line.from, span[0]],
      [span[1], line.to],
    ],
  }
}

/** `Histology:` before what it announces. Its level follows the indentation, so that labels nest. */
export function readLabelLine(place: HeadingPlace): HeadingFound | null {
  const { text, lines } = place.sheet
  const line = lines[place.index]
  if (line === undefined || line.to - line.from > 80 || markerOf(text, line) !== null) return null
  if (!isLabel(text, line) || !announces(place.sheet, place.index)) return null
  const level = 9 + Math.min(20, Math.floor(line.indent / 2))
  return { ...foundAt(place, [line.from, line.to], level), label: true }
}

/** A key with nothing behind its colon. In capitals it may be longer than a key. */
function isLabel(text: string, line: Line): boolean {
  if (line.colons === 0 || !isUpper(text, line.from)) return false
  const keyed = keyOf(text, line)
  if (keyed !== null) return keyed.value === null
  return text.charAt(line.to - 1) === ':' && line.to - line.from <= 80 && isCapitals(text, line.from, line.to)
}

/** Something further in, a list, a form, or a block of its own; in capitals, whatever follows. */
function announces(sheet: Sheet, index: number): boolean {
  const below = goesOn(sheet, index)
  if (below !== 'close') return below !== 'ends'
  const [line, next] = [sheet.lines[index], lineBelow(sheet, index)]
  if (line === undefined || next === undefined) return false
  return (
    isCapitals(sheet.text, line.from, line.to) || isItem(sheet.text, next) || isStrongKey(sheet.text, next)
  )
}

function isItem(text: string, line: Line): boolean {
  return markerOf(text, line) !== null
}

function isStrongKey(text: string, line: Line): boolean {
  return keyOf(text, line)?.strong === true
}

const greetings = new Set(
  'dear hello hi yours kind best regards sincerely thanks thank with cheers attn ps signed'.split(' '),
)

/** The least certain kind: room before it, something clearly longer or further in behind it. */
export function readTitleLine(place: HeadingPlace): HeadingFound | null {
  const { text, lines } = place.sheet
  const line = lines[place.index]
  if (line === undefined || line.gap === 0 || place.greeting || line.to - line.from > 60) return null
  if (!isUpper(text, line.from) || !isTitle(text, line.from, line.to)) return null
  if (line.wide || line.tabs > 0 || line.pipes > 0 || keyOf(text, line) !== null) return null
  if (countWords(text, line.from, line.to) > 8) return null
  if (greetings.has(firstWord(text, line).toLowerCase().replace(/\W/g, ''))) return null
  // A date, or somebody's name behind an initial.
  if (/\d{4}$|^\p{Lu}\.\s/u.test(text.slice(line.from, line.to))) return null
  return leadsInto(place.sheet, place.index) ? foundAt(place, [line.from, line.to], 7) : null
}

function leadsInto(sheet: Sheet, index: number): boolean {
  const below = goesOn(sheet, index)
  const next = sheet.lines[index + 1]
  if (below === 'ends' || next === undefined) return false
  if (below === 'deeper') return true
  if (below === 'close') return isStrongKey(sheet.text, next)
  return isProse(sheet.text, next) || isItem(sheet.text, next) || next.pipes > 1 || isDeeper(sheet, index)
}

function isDeeper(sheet: Sheet, index: number): boolean {
  const [line, next] = [sheet.lines[index], sheet.lines[index + 1]]
  return line !== undefined && next !== undefined && next.indent > line.indent + 1
}

/** Long enough for a sentence, or a short one that ends like one. */
function isProse(text: string, line: Line): boolean {
  const length = line.to - line.from
  return length >= 60 || (length >= 20 && text.charAt(line.to - 1) === '.')
}
