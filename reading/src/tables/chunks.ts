/** The pieces of a line that wide spaces keep apart, and whether such a line could be the row of a table. */
import { isLetter } from '../characters.ts'
import type { Span } from '../format.ts'
import type { Line } from '../lines.ts'
import { markerOf } from '../markers.ts'

const space = 0x20
const noBreakSpace = 0xa0

/** Wider than this nobody aligns by hand, and a row of a giant line is not looked at twice. */
export const widest = 400

function isBlank(code: number): boolean {
  return code === space || code === noBreakSpace
}

export function splitChunks(text: string, line: Line): Span[] {
  if (!line.wide || line.to - line.from > widest) return [[line.from, line.to]]
  const chunks: Span[] = []
  let [start, at] = [line.from, line.from]
  while (at < line.to) {
    let stop = at
    while (stop < line.to && isBlank(text.charCodeAt(stop))) stop += 1
    if (isColumnGap(text, at, stop)) {
      chunks.push([start, at])
      start = stop
    }
    at = stop === at ? at + 1 : stop
  }
  chunks.push([start, line.to])
  return chunks
}

/** Two spaces behind the end of a sentence are a habit of typists, not a column. */
function isColumnGap(text: string, from: number, to: number): boolean {
  if (to - from !== 2) return to - from > 2
  return !'.!?:;'.includes(text.charAt(from - 1))
}

/** `Key:    value`, `1.4 Certified?    Yes`, `- item`, `2.1  All piles are in place`: lines with a better reading. */
export function isOtherThanRow(text: string, line: Line, chunks: readonly Span[]): boolean {
  if (markerOf(text, line)?.kind === 'bullet') return true
  const [first, second] = chunks
  if (first === undefined || second === undefined || chunks.length !== 2) return false
  const last = text.charAt(first[1] - 1)
  return last === ':' || last === '?' || (isOrdinal(text, first) && isLetter(text, second[0]))
}

function isOrdinal(text: string, [start, end]: Span): boolean {
  return end - start <= 6 && /^[(\d.)a-z]+$/.test(text.slice(start, end))
}

/** The column a piece begins in, counted from the left edge of the page. */
export function columnOf(line: Line, offset: number): number {
  return line.indent + offset - line.from
}
