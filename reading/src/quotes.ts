/** Takes the `>` marks of mails and Markdown off the lines, so that every recogniser sees plain content behind them. */
import { isDigit, isSpace, skipSpaces } from './characters.ts'
import type { Span } from './format.ts'
import { columns } from './lines.ts'
import type { Line } from './lines.ts'

const sign = 0x3e

export interface Lifted {
  readonly lines: readonly Line[]
  /** The marks of quoted lines that hold nothing else. */
  readonly marks: readonly Span[]
}

export function liftQuotes(text: string, lines: readonly Line[]): Lifted {
  if (!lines.some((line) => text.charCodeAt(line.from) === sign)) return { lines, marks: [] }
  const quoted = quotedLines(text, lines)
  const lifted: Line[] = []
  const marks: Span[] = []
  let [gap, depth] = [0, 0]
  for (const [index, line] of lines.entries()) {
    const next = quoted[index] === true ? lift(text, line) : line
    gap += line.gap
    if (next === null) marks.push([line.from, line.to])
    if (next === null) gap += 1
    else {
      lifted.push({ ...next, gap: next.quote === depth ? gap : Math.max(1, gap) })
      ;[gap, depth] = [0, next.quote]
    }
  }
  return { lines: lifted, marks }
}

/** The line behind its marks, or null when there is nothing behind them. */
function lift(text: string, line: Line): Line | null {
  let quote = 0
  let after = line.from
  let from = line.from
  while (from < line.to && text.charCodeAt(from) === sign) {
    quote += 1
    after = from + 1
    from = skipSpaces(text, after, line.to)
  }
  if (from === line.to) return null
  // One space belongs to the mark.
  const indent = Math.max(0, columns(text, after, from) - 1)
  return { ...line, from, indent, quote, mark: line.from }
}

/**
 * Which lines are quotations. `> 60 seconds: 0 events` means "more than": a line like that is a quotation only in the
 * company of one that clearly is.
 */
function quotedLines(text: string, lines: readonly Line[]): boolean[] {
  const quoted = lines.map(() => false)
  for (const [index, line] of lines.entries()) {
    if (!isMarked(text, line)) continue
    quoted[index] = !isComparison(text, line) || (line.gap === 0 && quoted[index - 1] === true)
  }
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    const line = lines[index]
    const company = lines[index + 1]?.gap === 0 && quoted[index + 1] === true
    if (company && line !== undefined && isMarked(text, line)) quoted[index] = true
  }
  return quoted
}

function isMarked(text: string, line: Line): boolean {
  if (text.charCodeAt(line.from) !== sign) return false
  const next = text.charCodeAt(line.from + 1)
  return line.from + 1 === line.to || next !== 0x3d
}

function isComparison(text: string, line: Line): boolean {
  let at = line.from + 1
  // Only as far as a number could stand away from its sign.
  while (at < Math.min(line.to, line.from + 3) && isSpace(text.charCodeAt(at))) at += 1
  const code = text.charCodeAt(at)
  return isDigit(code) || '$€£¥~≈'.includes(text.charAt(at))
}
