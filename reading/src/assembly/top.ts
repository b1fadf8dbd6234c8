/** Title, header fields, heads of messages and headings: what gives the passages below them their place. */
import type { Block, BlockOf } from '../blocks.ts'
import { nothingHangs, standsUnder } from '../hanging.ts'
import { openHeading } from '../outline.ts'
import { markQuote } from './draft.ts'
import type { Draft } from './draft.ts'
import { placeLabel } from './prose.ts'

export function placeTitle(draft: Draft, block: BlockOf<'title'>): void {
  draft.title = block.span
  markSigns(draft, block)
}

export function placeHeading(draft: Draft, block: BlockOf<'heading'>): void {
  const line = draft.sheet.lines[block.first]
  if (line === undefined) return
  if (block.label && standsUnder(draft.hanging, line)) return placeLabel(draft, block)
  draft.headings.push(openHeading(draft.outline, block, line, draft.headings.length))
  draft.hanging = nothingHangs()
  markSigns(draft, block)
}

function markSigns(draft: Draft, block: BlockOf<'title'> | BlockOf<'heading'>): void {
  const line = draft.sheet.lines[block.first]
  if (line !== undefined) markQuote(draft, line)
  draft.marks.push(...block.marks)
}

/** The first head of a mail is the header of the document; any further one begins a part. */
export function placeMessage(draft: Draft, block: BlockOf<'message'>): void {
  markFields(draft, block)
  const quote = draft.sheet.lines[block.first]?.quote ?? 0
  const onTop = draft.title !== null || draft.passages.length === 0
  if (draft.inHeader && draft.fields.length === 0 && quote === 0 && onTop) {
    draft.fields.push(...block.fields)
    return
  }
  draft.parts.push({ fields: block.fields, quote, passage: draft.passages.length })
  draft.outline = []
  draft.hanging = nothingHangs()
  draft.inHeader = false
}

function markFields(draft: Draft, block: BlockOf<'message'>): void {
  const starts = new Set(block.fields.map((field) => field.span[0]))
  for (const line of draft.sheet.lines.slice(block.first, block.last + 1)) {
    if (starts.has(line.from)) markQuote(draft, line)
  }
}

/** Takes a key and its value into the header, as long as they stand at the top and close together. */
export function takeField(draft: Draft, block: BlockOf<'form'>): boolean {
  const line = draft.sheet.lines[block.first]
  const next = draft.fields.length === 0 || line?.gap === 0
  if (!draft.inHeader || !next || line === undefined) return false
  markQuote(draft, line)
  draft.fields.push(...block.fields)
  return true
}

const maxBylines = 3

/** Whether the header may still go on behind this block. Short lines may part title and fields, nothing else may. */
export function staysInHeader(draft: Draft, block: Block): boolean {
  if (block.kind === 'mark' || block.kind === 'title') return true
  if (block.kind === 'form' || block.kind === 'message') return draft.passages.length === draft.bylines
  if (block.kind !== 'paragraph' || draft.fields.length > 0) return false
  // `Dear Sirs,` and `We recall the following product:` open the text itself.
  if (',:'.includes(draft.sheet.text.charAt(block.span[1] - 1))) return false
  return block.span[1] - block.span[0] <= 200 && draft.bylines < maxBylines
}
