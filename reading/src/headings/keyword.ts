/** Headings by keyword: `ARTICLE IV`, `Item 3: Review`, `Table 14.1  Disposition`. */
import { isDigit, isUpper, skipSpaces } from '../characters.ts'
import type { Line } from '../lines.ts'
import { foundAt, headsText } from './place.ts'
import type { HeadingFound, HeadingPlace } from './place.ts'
import { afterWord, isCapitals } from './words.ts'

const divisions = new Set('article part chapter title book volume'.split(' '))
const captions = new Set('table figure chart exhibit'.split(' '))
const pieces = new Set(
  'section item annex appendix schedule lot change step question attachment clause module phase topic'.split(
    ' ',
  ),
)
const ordinal = /^(?:\d{1,3}(?:\.\d{1,3}){0,4}[A-Za-z]?|[IVXLC]{1,7}|[A-Z])[.:)]?$/

/** `ITEM 7. RISKS`, `Article 4`, `LOT 1  Bridge`: a keyword, a number, and perhaps a title. */
export function readKeyword(place: HeadingPlace): HeadingFound | null {
  const { text, lines } = place.sheet
  const line = lines[place.index]
  if (line === undefined || !place.opens || !isUpper(text, line.from)) return null
  const word = afterWord(text, line.from, Math.min(line.to, line.from + 14))
  const keyword = text.slice(line.from, word.end)
  const level = keywordLevel(keyword, isCapitals(text, line.from, word.end))
  if (level === 0) return null
  const number = afterWord(text, word.next, line.to)
  const named = text.slice(word.next, Math.min(number.end, word.next + 24))
  if (!ordinal.test(named)) return null
  // `Lot 2: EUR 2.4m` right below `Lot 1: …` states something.
  if (line.gap === 0 && named.endsWith(':') && level !== 2) return null
  if (!headsText(place.sheet, place.index)) return null
  if (!isSetApart(text, number, line)) return null
  return { ...foundAt(place, [line.from, line.to], level), numbers: numbersIn(named) }
}

function numbersIn(ordinalWord: string): number[] {
  return /^\d+(?:\.\d+)*/.exec(ordinalWord)?.[0].split('.').map(Number) ?? []
}

function keywordLevel(keyword: string, capitals: boolean): number {
  const lower = keyword.toLowerCase()
  if (divisions.has(lower)) return 2
  if (captions.has(lower)) return 8
  if (!pieces.has(lower)) return 0
  return capitals ? 2 : 7
}

/** Nothing behind the number, or a title that punctuation or a wide space keeps apart from it. */
function isSetApart(text: string, number: { end: number; next: number }, line: Line): boolean {
  if (number.next >= line.to) return true
  const apart = number.next - number.end >= 2 || '.:)'.includes(text.charAt(number.end - 1))
  const dashed = '–—-'.includes(text.charAt(number.next))
  if (!apart && !dashed && !isCapitals(text, line.from, line.to)) return false
  const start = dashed ? skipSpaces(text, number.next + 1, line.to) : number.next
  return (
    !isDigit(text.charCodeAt(start)) && line.to - start <= 120 && !'.;,:'.includes(text.charAt(line.to - 1))
  )
}
