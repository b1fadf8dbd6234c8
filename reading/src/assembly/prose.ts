/** Paragraphs, list items and keys with their values, cut into sentences. */
import type { BlockOf } from '../blocks.ts'
import type { Span } from '../format.ts'
import { hangAnnounced, hangPeg, hangText } from '../hanging.ts'
import { endsInColon } from '../keys.ts'
import { settle } from '../outline.ts'
import type { Line } from '../lines.ts'
import { onOneLine } from '../plain.ts'
import { splitSentences } from '../sentences.ts'
import { stretches } from '../wraps.ts'
import { markQuote, placeOf } from './draft.ts'
import type { Draft } from './draft.ts'

export function placeParagraph(draft: Draft, block: BlockOf<'paragraph'>): void {
  const line = draft.sheet.lines[block.first]
  if (line === undefined) return
  settle(draft.outline, line, false)
  markQuote(draft, line)
  const quoted = line.quote > 0
  const { under } = quoted ? hangAnnounced(draft.hanging, line) : hangText(draft.hanging, line)
  const label = block.label === null ? {} : { label: block.label }
  const sentences = sentencesOf(draft, block, block.span)
  const kind = quoted ? 'quote' : 'paragraph'
  draft.passages.push({
    kind,
    span: block.span,
    ...placeOf(draft, line, under),
    ...label,
    body: block.body,
    sentences,
  })
  announce(draft, block.span)
}

/** A `Label:` under an item or a key: a heading would cut it off from them, so it is a passage that others hang under. */
export function placeLabel(draft: Draft, block: BlockOf<'heading'>): void {
  const line = draft.sheet.lines[block.first]
  if (line === undefined) return
  settle(draft.outline, line, false)
  markQuote(draft, line)
  const { span } = block
  const { under } = hangPeg(draft.hanging, line, draft.passages.length, false)
  const place = placeOf(draft, line, under)
  const kind = line.quote > 0 ? 'quote' : 'paragraph'
  draft.passages.push({ kind, span, ...place, body: span, sentences: sentencesOf(draft, block, span) })
  announce(draft, span)
}

export function placeItem(draft: Draft, block: BlockOf<'item'>): void {
  const line = draft.sheet.lines[block.first]
  if (line === undefined) return
  settle(draft.outline, line, true)
  markQuote(draft, line)
  const { under, depth } = hangPeg(draft.hanging, line, draft.passages.length, true)
  const label = block.label === null ? {} : { label: block.label }
  const { span, marker, body } = block
  const start = draft.sheet.text.slice(marker[1], span[1]).search(/\S/)
  const sentences = sentencesOf(draft, block, [marker[1] + start, span[1]])
  draft.passages.push({
    kind: 'list-item',
    span,
    ...placeOf(draft, line, under),
    marker,
    depth,
    ...label,
    body,
    sentences,
  })
  announce(draft, span)
}

export function placeForm(draft: Draft, block: BlockOf<'form'>): void {
  const line = draft.sheet.lines[block.first]
  if (line === undefined) return
  settle(draft.outline, line, false)
  markQuote(draft, line)
  const first = draft.passages.length
  const hung = hangPeg(draft.hanging, line, first, false)
  for (const [column, { span, key, value }] of block.fields.entries()) {
    // A second key on the line says more about the first.
    const under = column === 0 ? hung.under : first
    const sentences = sentencesOf(draft, block, value)
    draft.passages.push({ kind: 'key-value', span, ...placeOf(draft, line, under), key, value, sentences })
    announce(draft, span)
  }
}

function sentencesOf(draft: Draft, block: { first: number; last: number }, span: Span): Span[] {
  const { text, lines } = draft.sheet
  return stretches(text, lines.slice(block.first, block.last + 1)).flatMap((stretch) => {
    const within = clip(stretch, span)
    return within === null ? [] : splitSentences(onOneLine(text, stretch, within), within[0])
  })
}

/** The part of a span that lies on these lines. */
function clip(lines: readonly Line[], [from, to]: Span): Span | null {
  const start = Math.max(from, lines[0]?.from ?? from)
  const end = Math.min(to, lines.at(-1)?.to ?? to)
  return start < end ? [start, end] : null
}

/** A passage that ends in a colon leads into the next one; one that ends in a question mark may be answered there. */
function announce(draft: Draft, span: Span): void {
  const last = draft.passages.length - 1
  draft.hanging.lead = endsInColon(draft.sheet.text, span) ? last : null
  draft.hanging.question = draft.sheet.text.charAt(span[1] - 1) === '?' ? last : null
}
