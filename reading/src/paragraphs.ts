/** Running text: one paragraph is what stands together until a blank line or until something else begins. */
import type { Span } from './format.ts'
import { readLabel } from './labels.ts'
import { lineBelow } from './lines.ts'
import type { Line, Sheet } from './lines.ts'
import { beginsBlock } from './starts.ts'
import type { Ground } from './starts.ts'

export interface TextFound {
  readonly last: number
  readonly span: Span
  readonly label: Span | null
  readonly body: Span
}

export function readParagraph(ground: Ground, index: number): TextFound | null {
  const line = ground.sheet.lines[index]
  if (line === undefined) return null
  const last = textEnd(ground, { first: index, list: false }, (next, above, at) => {
    // A first line may stand further in than the rest; after that an outdented line is a new start.
    return at === index + 1 || next.indent >= above.indent - 1
  })
  return textFrom(ground.sheet, { first: index, last, start: line.from, text: line.from })
}

/** The last line of a text: lines follow closely, begin nothing of their own, and the caller agrees. */
export function textEnd(
  ground: Ground,
  text: { readonly first: number; readonly list: boolean },
  agrees: (next: Line, above: Line, index: number) => boolean,
): number {
  let last = text.first
  for (let next = lineBelow(ground.sheet, last); next !== undefined; next = lineBelow(ground.sheet, last)) {
    const above = ground.sheet.lines[last]
    if (above === undefined || !agrees(next, above, last + 1)) break
    if (beginsBlock(ground, last + 1, text)) break
    last += 1
  }
  return last
}

/** Lines as one text: `start` is where the span begins, `text` where the words do. */
export function textFrom(
  sheet: Sheet,
  lines: { first: number; last: number; start: number; text: number },
): TextFound | null {
  const [first, last] = [sheet.lines[lines.first], sheet.lines[lines.last]]
  if (first === undefined || last === undefined) return null
  const found = readLabel(sheet.text, lines.text, first.to)
  const body: Span = [found?.body ?? lines.text, last.to]
  return { last: lines.last, span: [lines.start, last.to], label: found?.label ?? null, body }
}
