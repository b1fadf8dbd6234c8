/**
 * Which headings are open at a point of the text. A heading closes those as deep as itself or deeper; a `Label:` line
 * also closes by itself, since people write on after a list without saying that its label no longer holds.
 */
import type { Heading } from './format.ts'
import type { HeadingFound } from './headings/place.ts'
import type { Line } from './lines.ts'

interface OpenHeading {
  readonly index: number
  readonly level: number
  readonly numbers: readonly number[]
  /** For a `Label:` line, how far in it stands; null for a heading proper. */
  readonly indent: number | null
  /** Something stands under the label already. */
  filled: boolean
  /** And some of it further in than the label itself. */
  deeper: boolean
}

/** From the outermost heading to the innermost. */
export type Outline = OpenHeading[]

export function innermost(outline: Outline): number | null {
  return outline.at(-1)?.index ?? null
}

/** Opens a heading and closes those it ends; says what to store. */
export function openHeading(outline: Outline, found: HeadingFound, line: Line, index: number): Heading {
  const level = Math.max(found.level, 1 + levelOfWhole(outline, found.numbers))
  while ((outline.at(-1)?.level ?? 0) >= level) outline.pop()
  const parent = innermost(outline)
  if (found.label) noteChild(outline, line)
  const indent = found.label ? line.indent : null
  outline.push({ index, level, numbers: found.numbers, indent, filled: false, deeper: false })
  return { level, span: found.span, parent }
}

/** The level of the open heading whose number this one divides: `3.6 Actions` belongs under `Item 3`. */
function levelOfWhole(outline: Outline, numbers: readonly number[]): number {
  const whole = outline.findLast(
    (open) =>
      open.numbers.length > 0 &&
      open.numbers.length < numbers.length &&
      open.numbers.every((number, place) => number === numbers[place]),
  )
  return whole?.level ?? 0
}

/**
 * Closes the labels that do not reach this far. A label announces one block: what stands further in, or what follows
 * closely. `together` is a list item or a table, which blank lines do not part from its neighbours.
 */
export function settle(outline: Outline, line: Line, together: boolean): void {
  for (let top = outline.at(-1); top !== undefined; top = outline.at(-1)) {
    if (top.indent === null || !top.filled || line.indent > top.indent + 1) break
    if (!top.deeper && (together || line.gap === 0)) break
    outline.pop()
  }
  noteChild(outline, line)
}

function noteChild(outline: Outline, line: Line): void {
  const top = outline.at(-1)
  if (top === undefined || top.indent === null) return
  top.filled = true
  top.deeper ||= line.indent > top.indent + 1
}
