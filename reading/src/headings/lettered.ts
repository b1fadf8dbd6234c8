/** Headings by letter: `A. Amounts without VAT`, `B. Time`. */
import { isSpace, skipSpaces } from '../characters.ts'
import type { Line } from '../lines.ts'
import { foundAt, goesOn } from './place.ts'
import type { HeadingFound, HeadingPlace } from './place.ts'
import { isCapitals, isTitle } from './words.ts'

/** `A. Amounts without VAT`, and `B.` only after `A.`: a lone letter with a stop is somebody's initial. */
export function readLettered(place: HeadingPlace): HeadingFound | null {
  const { text, lines } = place.sheet
  const line = lines[place.index]
  const letter = line === undefined ? 0 : headingLetter(text, line)
  if (line === undefined || letter === 0 || !place.opens) return null
  const start = skipSpaces(text, line.from + 2, line.to)
  const capitals = isCapitals(text, start, line.to)
  const inOrder =
    letter === place.letter + 1 && (letter > 1 || capitals || text.slice(start, line.to).includes(' '))
  const below = goesOn(place.sheet, place.index)
  if (!(inOrder || capitals) || (below !== 'apart' && below !== 'deeper')) return null
  return isTitle(text, start, line.to) ? foundAt(place, [line.from, line.to], 3) : null
}

/** 1 for `A. …`, 2 for `B) …`; 0 where the line does not begin with a letter and a sign. */
export function headingLetter(text: string, line: Line): number {
  const code = text.charCodeAt(line.from)
  if (code < 0x41 || code > 0x5a || line.to - line.from < 4) return 0
  const sign = text.charAt(line.from + 1)
  return (sign === '.' || sign === ')') && isSpace(text.charCodeAt(line.from + 2)) ? code - 0x40 : 0
}
