/**
 * Where a line ended because its author ended it, and where only the margin did. Without this an address becomes one
 * sentence, and two entries of a list without bullets become one statement that nobody made.
 */
import { isDigit, isUpper } from './characters.ts'
import { firstWord } from './lines.ts'
import type { Line } from './lines.ts'

/** A text without a line of this length, and without a stop at its end, was written line by line: an address. */
const narrow = 45
/** A line this much shorter than the longest, next word included, was not broken by the margin. */
const short = 0.7

/**
 * The lines of one passage in stretches that belong together. A sentence may run over the end of a line, but not over a
 * line that was ended by hand: the next one begins with a capital or a digit, and its first word would have had room.
 */
export function stretches(text: string, lines: readonly Line[]): (readonly Line[])[] {
  if (lines.length < 2) return [lines]
  const widest = lines.reduce((most, line) => Math.max(most, line.to - line.from), 0)
  const listed = widest < narrow && !'.!?:;,'.includes(text.charAt((lines.at(-1)?.to ?? 0) - 1))
  const room = listed ? Infinity : widest * short
  const cuts: number[] = [0]
  for (let index = 1; index < lines.length; index += 1) {
    const [above, line] = [lines[index - 1], lines[index]]
    if (above !== undefined && line !== undefined && isEnded(text, above, line, room)) cuts.push(index)
  }
  return cuts.map((start, index) => lines.slice(start, cuts[index + 1] ?? lines.length))
}

function isEnded(text: string, above: Line, line: Line, room: number): boolean {
  if (!isUpper(text, line.from) && !isDigit(text.charCodeAt(line.from))) return false
  if (',-–—(&/'.includes(text.charAt(above.to - 1))) return false
  return above.to - above.from + 1 + firstWord(text, line).length <= room
}
