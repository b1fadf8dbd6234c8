/** Single characters: white space exactly as `String.prototype.trim` sees it, line ends, letters and digits. */
import type { Span } from './format.ts'

export const space = 0x20
export const tab = 0x09
export const lineFeed = 0x0a
export const formFeed = 0x0c
export const carriageReturn = 0x0d

export function isSpace(code: number): boolean {
  if (code <= space) return code === space || (code >= tab && code <= carriageReturn)
  return code >= 0xa0 && isRareSpace(code)
}

function isRareSpace(code: number): boolean {
  if (code === 0xa0 || code === 0x1680 || code === 0xfeff || code === 0x3000) return true
  if (code < 0x2000 || code > 0x205f) return false
  return code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f
}

/** Vertical tab and form feed end a line too: word processors write them for line and page breaks. */
export function isLineEnd(code: number): boolean {
  return (code >= lineFeed && code <= carriageReturn) || code === 0x2028 || code === 0x2029
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

const upper = /^[\p{Lu}\p{Lt}]/u
const lower = /^\p{Ll}/u
const letter = /^\p{L}/u

/** The one or two units of the character that starts at an offset. */
function character(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? space)
}

export function isUpper(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 0x80 ? code >= 0x41 && code <= 0x5a : upper.test(character(text, at))
}

export function isLower(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 0x80 ? code >= 0x61 && code <= 0x7a : lower.test(character(text, at))
}

export function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | space
  return code < 0x80 ? code >= 0x61 && code <= 0x7a : letter.test(character(text, at))
}

export function skipSpaces(text: string, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(text.charCodeAt(at))) at += 1
  return at
}

/** The span without white space at its ends, or null when nothing is left. */
export function trimmed(text: string, from: number, to: number): Span | null {
  const start = skipSpaces(text, from, to)
  let end = to
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  return start < end ? [start, end] : null
}
