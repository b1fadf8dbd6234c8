/** The structure while it grows, and the place in it that the next block gets. */
import { trimmed } from '../characters.ts'
import type { Field, Heading, FormatPart, Passage, Span, Table } from '../format.ts'
import { nothingHangs } from '../hanging.ts'
import type { Hanging } from '../hanging.ts'
import type { Line, Sheet } from '../lines.ts'
import { innermost } from '../outline.ts'
import type { Outline } from '../outline.ts'

export interface Draft {
  readonly sheet: Sheet
  title: Span | null
  readonly fields: Field[]
  readonly headings: Heading[]
  readonly parts: FormatPart[]
  readonly tables: Table[]
  readonly passages: Passage[]
  readonly marks: Span[]
  outline: Outline
  hanging: Hanging
  /** Whether a key at this point still belongs to the header. */
  inHeader: boolean
  /** Short lines between title and fields: who wrote it, for whom, when. */
  bylines: number
}

export function emptyDraft(sheet: Sheet, marks: readonly Span[]): Draft {
  return {
    sheet,
    title: null,
    fields: [],
    headings: [],
    parts: [],
    tables: [],
    passages: [],
    marks: [...marks],
    outline: [],
    hanging: nothingHangs(),
    inHeader: true,
    bylines: 0,
  }
}

/** The common place of all passages. */
export function placeOf(draft: Draft, line: Line, under: number | null) {
  const part = draft.parts.length === 0 ? null : draft.parts.length - 1
  return { heading: innermost(draft.outline), part, under, quote: line.quote }
}

/** Quote marks in front of a piece; those of its further lines lie inside the piece. */
export function markQuote(draft: Draft, line: Line): void {
  const mark = line.mark < line.from ? trimmed(draft.sheet.text, line.mark, line.from) : null
  if (mark !== null) draft.marks.push(mark)
}

/** A line that is nothing but a mark. */
export function markLine(draft: Draft, index: number): void {
  const line = draft.sheet.lines[index]
  if (line !== undefined) draft.marks.push([line.mark, line.to])
}
