/** Assembles the content of a window for a model: its text, and the context of a window of a longer text. */
import type { Passage, Span, Structure } from '@concord/reading/src/format.ts'
import { definitionsFor } from './definitions.ts'
import type { WindowContent } from './extract.ts'
import type { ReadingPlan } from './plan.ts'
import type { TextWindow } from './windows.ts'

export function describeWindow(plan: ReadingPlan, window: TextWindow): WindowContent {
  const { readable, title, date } = plan
  const [start, end] = window.span
  const text = readable
    .slice(start, end)
    .trim()
    .replaceAll(/\n{4,}/g, '\n\n\n')
    .toWellFormed()
  if (start === 0 && end === readable.length) return { title, date, text }
  const definitions = definitionsFor(text, start, plan.definitions)
  return {
    title,
    date,
    ...aroundWindow(plan, window),
    ...(definitions.length === 0 ? {} : { definitions }),
    text,
  }
}

type Surroundings = Pick<WindowContent, 'headings' | 'message' | 'columns'>

function aroundWindow(
  { readable, structure }: ReadingPlan,
  { span, passage: index }: TextWindow,
): Surroundings {
  const passage = structure.passages[index]
  const headings = headingPath(readable, structure, span[0])
  const message = messageOf(readable, structure, passage)
  const columns = columnsOf(readable, structure, passage)
  return {
    ...(headings.length === 0 ? {} : { headings }),
    ...(message === null ? {} : { message }),
    ...(columns === null ? {} : { columns }),
  }
}

/** The headings above the start of the window, from the outermost to the innermost. */
function headingPath(text: string, { headings }: Structure, start: number): string[] {
  const path: string[] = []
  let index: number | null = headings.findLastIndex(({ span }) => span[0] < start)
  while (index !== null && index !== -1) {
    const heading: Structure['headings'][number] | undefined = headings[index]
    if (heading === undefined) break
    path.unshift(inOneLine(text, heading.span))
    index = heading.parent
  }
  return path
}

function messageOf(text: string, { parts }: Structure, passage: Passage | undefined): string | null {
  const part = passage?.part === undefined || passage.part === null ? undefined : parts[passage.part]
  if (part === undefined || part.fields.length === 0) return null
  return part.fields.map(({ span }) => inOneLine(text, span)).join('; ')
}

function columnsOf(text: string, { tables }: Structure, passage: Passage | undefined): string | null {
  if (passage?.kind !== 'table-row' || passage.row === 0) return null
  const columns = tables[passage.table]?.columns ?? null
  return columns === null
    ? null
    : columns.map((span) => (span === null ? '' : inOneLine(text, span))).join(' | ')
}

const maxLine = 300

function inOneLine(text: string, [start, end]: Span): string {
  return text
    .slice(start, Math.min(end, start + maxLine))
    .replaceAll(/\s+/gu, ' ')
    .toWellFormed()
}
