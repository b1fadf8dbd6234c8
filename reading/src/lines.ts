/** Cuts a text into its lines that are not blank, with what the recognisers ask about a line counted once. */
import {
  carriageReturn,
  formFeed,
  isLineEnd,
  isSpace,
  lineFeed,
  skipSpaces,
  space,
  tab,
  trimmed,
} from './characters.ts'

export interface Line {
  /** The content: without white space at the ends and without quote marks. */
  readonly from: number
  readonly to: number
  /** Columns before the content, a tab reaching the next multiple of four. */
  readonly indent: number
  /** Blank lines before this one; at least 1 where the text, a page or another depth of quotation begins. */
  readonly gap: number
  /** Depth of quotation. */
  readonly quote: number
  /** Where the quote marks begin; equals `from` when there are none. */
  readonly mark: number
  readonly pipes: number
  readonly tabs: number
  readonly semicolons: number
  readonly commas: number
  /** Signs that may end a key: colons, in either width, and question marks. */
  readonly colons: number
  /** Two spaces in a row somewhere inside. */
  readonly wide: boolean
}

/** The input of every recogniser. */
export interface Sheet {
  readonly text: string
  readonly lines: readonly Line[]
}

export function readLines(text: string): Line[] {
  const lines: Line[] = []
  let gap = 1
  for (let start = 0; start < text.length;) {
    const end = lineEnd(text, start)
    const content = trimmed(text, start, end)
    if (content === null) gap += 1
    else lines.push(lineOf(text, { start, from: content[0], to: content[1], gap }))
    if (content !== null) gap = 0
    if (text.charCodeAt(end) === formFeed) gap += 1
    start = afterBreak(text, end)
  }
  return lines
}

function lineEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1
  return at
}

function afterBreak(text: string, end: number): number {
  const pair = text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === lineFeed
  return pair ? end + 2 : end + 1
}

function lineOf(text: string, cut: { start: number; from: number; to: number; gap: number }): Line {
  const { from, to, gap } = cut
  // @point reading.line
  const counts = countSigns(text, from, to)
  return { from, to, indent: columns(text, cut.start, from), gap, quote: 0, mark: from, ...counts }
}

/** The width of white space, in columns. */
export function columns(text: string, from: number, to: number): number {
  let width = 0
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at)
    if (code === tab) width += 4 - (width % 4)
    else if (code !== 0xfeff) width += 1
  }
  return width
}

function countSigns(text: string, from: number, to: number) {
  let [pipes, tabs, semicolons, commas, colons] = [0, 0, 0, 0, 0]
  let wide = false
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at)
    // Letters, nearly every character there is, leave after two comparisons.
    if (code > 0x3f && code < 0xff00 && code !== 0x7c) continue
    if (code === 0x7c) pipes += 1
    else if (code === tab) tabs += 1
    else if (code === 0x3b) semicolons += 1
    else if (code === 0x2c) commas += 1
    else if (code === 0x3a || code === 0x3f || code === 0xff1a) colons += 1
    else if (code === space && text.charCodeAt(at + 1) === space) wide = true
  }
  return { pipes, tabs, semicolons, commas, colons, wide }
}

/** The line after this one, if no blank line and no other depth of quotation stands between them. */
export function lineBelow(sheet: Sheet, index: number): Line | undefined {
  const next = sheet.lines[index + 1]
  return next !== undefined && next.gap === 0 ? next : undefined
}

/** The first word of a line; at most 40 characters of it. */
export function firstWord(text: string, line: Line): string {
  const limit = Math.min(line.to, line.from + 40)
  let end = line.from
  while (end < limit && !isSpace(text.charCodeAt(end))) end += 1
  return text.slice(line.from, end)
}

/** How many words begin in a stretch of text. */
export function countWords(text: string, from: number, to: number): number {
  let words = 0
  for (let at = skipSpaces(text, from, to); at < to; at = skipSpaces(text, at, to)) {
    words += 1
    while (at < to && !isSpace(text.charCodeAt(at))) at += 1
  }
  return words
}
