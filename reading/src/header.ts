/**
 * The title of a document: a heading on its first line, or up to four short lines above everything else.
 *
 * A title missed is a paragraph, and a paragraph taken for a title is still kept whole, so both mistakes are cheap; but
 * nobody looks for a statement in a title, so prose must not end up there.
 */
import { isDigit, isUpper } from './characters.ts'
import type { Span } from './format.ts'
import { readHash, readUnderlined } from './headings/markdown.ts'
import { isCapitals } from './headings/words.ts'
import { keyOf } from './keys.ts'
import { countWords, lineBelow } from './lines.ts'
import type { Line, Sheet } from './lines.ts'
import { markerOf } from './markers.ts'
import { isRuler } from './rulers.ts'

export interface TitleFound {
  readonly last: number
  readonly span: Span
  readonly marks: readonly Span[]
}

const maxLines = 4

export function readTitle(sheet: Sheet, index: number): TitleFound | null {
  const place = { sheet, index, opens: true, letter: 0, greeting: false }
  const marked = readHash(place) ?? readUnderlined(place)
  if (marked !== null) return { last: marked.last, span: marked.span, marks: marked.marks }
  const last = titleEnd(sheet, index)
  const [from, to] = [sheet.lines[index]?.from, sheet.lines[last]?.to]
  // A title is the title of something.
  if (last < index || sheet.lines[last + 1] === undefined || from === undefined || to === undefined)
    return null
  return { last, span: [from, to], marks: [] }
}

/** The last line of the title, or one before the first where there is none. */
function titleEnd(sheet: Sheet, first: number): number {
  let last = first - 1
  while (last - first + 1 < maxLines && isTitleLine(sheet, last + 1)) {
    if (last >= first && sheet.lines[last + 1]?.gap !== 0) break
    last += 1
  }
  if (last < first) return last
  const next = lineBelow(sheet, last)
  if (next === undefined || isRuler(sheet.text, next) || keyOf(sheet.text, next) !== null) return last
  return lastCapitals(sheet, first, last)
}

/** Where text goes on right below, only lines in capitals are clearly not part of it. */
function lastCapitals(sheet: Sheet, first: number, last: number): number {
  let end = first - 1
  for (let index = first; index <= last; index += 1) {
    const line = sheet.lines[index]
    if (line === undefined || !isCapitalLine(sheet.text, line)) break
    end = index
  }
  return end
}

/** Capitals up to a wide space: what stands at the right margin may be written as it likes. */
function isCapitalLine(text: string, line: Line): boolean {
  const wide = line.wide ? text.slice(line.from, line.to).indexOf('   ') : -1
  return isCapitals(text, line.from, wide === -1 ? line.to : line.from + wide)
}

function isTitleLine(sheet: Sheet, index: number): boolean {
  const { text } = sheet
  const line = sheet.lines[index]
  if (line === undefined || line.to - line.from > 120 || line.quote > 0 || line.pipes > 0) return false
  if (markerOf(text, line) !== null) return false
  const capitals = isCapitalLine(text, line)
  if (keyOf(text, line) !== null) return capitals && !isForm(sheet, index)
  return capitals || isTitle(text, line)
}

/** `DOCUMENT: REPORT` above more such lines is a form; `POLICY: SCHEDULE` alone is a title with a colon in it. */
function isForm(sheet: Sheet, index: number): boolean {
  const [line, next] = [sheet.lines[index], lineBelow(sheet, index)]
  if (line === undefined || line.wide || line.tabs > 0) return true
  const below = next === undefined ? null : keyOf(sheet.text, next)
  return below !== null && isCapitals(sheet.text, below.key[0], below.key[1])
}

function isTitle(text: string, line: Line): boolean {
  if (!isUpper(text, line.from) && !isDigit(text.charCodeAt(line.from))) return false
  if ('.,;:!?…'.includes(text.charAt(line.to - 1))) return false
  return !/;|[a-z]\.\s/.test(text.slice(line.from, line.to)) && countWords(text, line.from, line.to) <= 16
}
