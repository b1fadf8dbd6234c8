/** The question to a recogniser of headings, and its answer. */
import { isLower } from '../characters.ts'
import type { Span } from '../format.ts'
import type { Sheet } from '../lines.ts'

/** Where a recogniser looks, and what came before. */
export interface HeadingPlace {
  readonly sheet: Sheet
  readonly index: number
  /** The line stands free: after a blank line, a heading, a mark, a row or a key, or outdented. */
  readonly opens: boolean
  /** The letter of the lettered heading before this one, 0 if there was none: `B.` is a heading after `A.`. */
  readonly letter: number
  /** A mail has just begun: a short line is a greeting. */
  readonly greeting: boolean
}

export interface HeadingFound {
  readonly span: Span
  readonly level: number
  /** Signs around the words: `##`, an underline, `**`. */
  readonly marks: readonly Span[]
  /** The last line used: the underline, where there is one. */
  readonly last: number
  /** `[3, 2]` for `3.2 Scope` and `[3]` for `Item 3`; empty without numbers. */
  readonly numbers: readonly number[]
  /** A `Label:` line. Its reach ends with the block it announces, not with the next heading. */
  readonly label: boolean
}

export function foundAt(place: HeadingPlace, span: Span, level: number): HeadingFound {
  return { span, level, marks: [], last: place.index, numbers: [], label: false }
}

/** How the text goes on below a line: after a blank line, further in, or at once. */
export function goesOn(sheet: Sheet, index: number): 'apart' | 'deeper' | 'close' | 'ends' {
  const line = sheet.lines[index]
  const next = sheet.lines[index + 1]
  if (line === undefined || next === undefined || next.quote !== line.quote) return 'ends'
  if (next.gap > 0) return 'apart'
  return next.indent > line.indent + 1 ? 'deeper' : 'close'
}

/** Text after a blank line, or further in; then a long line, or small letters below it, mean that it is only wrapped. */
export function headsText(sheet: Sheet, index: number): boolean {
  const [line, next] = [sheet.lines[index], sheet.lines[index + 1]]
  const below = goesOn(sheet, index)
  if (line === undefined || next === undefined || below === 'close' || below === 'ends') return false
  return below === 'apart' || (line.to - line.from < 60 && !isLower(sheet.text, next.from))
}

/** Longer than this nothing is a heading. */
const longest = 200

export function fitsHeading([start, end]: Span): boolean {
  return end - start <= longest
}
