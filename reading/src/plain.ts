/** The words of a span as they would stand on one line: for people and models; offsets are lost on the way. */
import { isLineEnd, isLower, isSpace, skipSpaces } from './characters.ts'
import type { Span } from './format.ts'
import type { Line } from './lines.ts'

/**
 * The text of a span with hard wraps undone: every run of white space is one space, and the indentation and quote marks
 * of continued lines are gone. Words broken by a hyphen at the end of a line are joined, as are scripts that put no
 * spaces between words. `quote` is the depth of the passage, so that a `>` the author wrote is kept.
 */
export function plainText(text: string, [start, end]: Span, quote = 0): string {
  let plain = ''
  for (let at = start; at < end;) {
    const stop = wordEnd(text, at, end)
    let next = skipSpaces(text, stop, end)
    const broken = hasLineEnd(text, stop, next)
    if (broken) next = skipMarks(text, next, end, quote)
    plain += text.slice(at, stop)
    if (next < end) plain = join(plain, broken ? jointAt(text, stop, next) : ' ')
    at = next
  }
  return plain
}

function wordEnd(text: string, from: number, to: number): number {
  let at = from
  while (at < to && !isSpace(text.charCodeAt(at))) at += 1
  return at
}

function hasLineEnd(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (isLineEnd(text.charCodeAt(at))) return true
  return false
}

function skipMarks(text: string, from: number, to: number, quote: number): number {
  let at = from
  for (let depth = 0; depth < quote && text.charAt(at) === '>'; depth += 1) at = skipSpaces(text, at + 1, to)
  return at
}

const softHyphen = '\u00ad'
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
const pairing = /^(?:and|or|to|nor|und|oder|bis|et|ou)\s/

/** The replacement of a line break. A soft hyphen is dropped, a hard one kept: it may belong to the word. */
function jointAt(text: string, stop: number, next: number): '' | ' ' | '-' {
  const before = text.charAt(stop - 1)
  if (before === softHyphen) return '-'
  if (before === '-' && isLower(text, stop - 2) && isLower(text, next)) {
    // `two- and three-year terms`
    return pairing.test(text.slice(next, next + 5)) ? ' ' : ''
  }
  return spaceless.test(before) && spaceless.test(text.charAt(next)) ? '' : ' '
}

function join(plain: string, joint: '' | ' ' | '-'): string {
  return joint === '-' ? plain.slice(0, -1) : plain + joint
}

/** Lines `first` to `last` from one offset to another, as long as in the text: breaks and quote marks are spaces. */
export function onOneLine(text: string, lines: readonly Line[], [from, to]: Span): string {
  const [first] = lines
  if (first === undefined || lines.length === 1) return text.slice(from, to)
  const pieces: string[] = []
  let at = from
  for (const line of lines) {
    const start = Math.max(from, line.from)
    pieces.push(' '.repeat(start - at), text.slice(start, line.to))
    at = line.to
  }
  return pieces.join('')
}
