/** The rules for every structure, whatever the text. Each function answers the faults it found, in words. */
import { readStructure } from '../../src/structure.ts'
import type { Field, Passage, Span, Structure } from '../../src/structure.ts'

export function faultsOf(text: string, structure: Structure = readStructure(text)): string[] {
  return [
    ...spansOf(structure).flatMap((span) => spanFaults(text, span)),
    ...orderFaults(
      'passages',
      structure.passages.map((passage) => passage.span),
    ),
    ...orderFaults(
      'headings',
      structure.headings.map((heading) => heading.span),
    ),
    ...structure.passages.flatMap((passage) => passageFaults(text, structure, passage)),
    ...indexFaults(structure),
    ...coverageFaults(text, structure),
    ...repeatFaults(text, structure),
  ]
}

/** Inside the text, not empty, trimmed, never through a surrogate pair. */
function spanFaults(text: string, [start, end]: Span): string[] {
  const name = `span ${start}–${end}`
  if (!(start >= 0 && start < end && end <= text.length)) return [`${name} is empty or outside the text`]
  const piece = text.slice(start, end)
  const faults = piece === piece.trim() ? [] : [`${name} has white space at an end`]
  return splitsPair(text, start) || splitsPair(text, end) ? [...faults, `${name} splits a pair`] : faults
}

function splitsPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1))
}

function orderFaults(name: string, spans: readonly Span[]): string[] {
  return spans.flatMap((span, index) => {
    const before = spans[index - 1]
    return before === undefined || before[1] <= span[0] ? [] : [`${name} overlap at ${span[0]}`]
  })
}

function passageFaults(text: string, { tables }: Structure, passage: Passage): string[] {
  const inner = innerSpans(passage)
  const name = `${passage.kind} at ${passage.span[0]}`
  const outside = inner.filter((span) => span[0] < passage.span[0] || span[1] > passage.span[1])
  const faults = outside.map((span) => `${name} does not hold ${span.join('–')}`)
  if (passage.kind === 'table-row') {
    const cells = passage.cells.filter((cell) => cell !== null)
    const known = passage.row < (tables[passage.table]?.rows ?? 0)
    return [...faults, ...orderFaults(name, cells), ...(known ? [] : [`${name} is in no table`])]
  }
  if (passage.kind === 'code') return faults
  return [...faults, ...orderFaults(name, passage.sentences), ...sentenceFaults(text, passage)]
}

/** Sentences leave nothing out: between them stand only white space and, in a quotation, its marks. */
function sentenceFaults(text: string, passage: Extract<Passage, { sentences: readonly Span[] }>): string[] {
  const start = passage.kind === 'list-item' ? passage.marker[1] : passage.span[0]
  const from = passage.kind === 'key-value' ? passage.value[0] : start
  const gaps: string[] = []
  let at = from
  for (const [begin, end] of passage.sentences) {
    gaps.push(text.slice(at, begin))
    at = end
    if (end - begin > 4000) gaps.push('a sentence without end')
  }
  gaps.push(text.slice(at, passage.span[1]))
  const lost = gaps.filter((gap) => gap.replaceAll(passage.quote > 0 ? />/g : /(?!)/g, '').trim() !== '')
  return lost.map((gap) => `${passage.kind} at ${passage.span[0]} loses ${JSON.stringify(gap)}`)
}

function innerSpans(passage: Passage): Span[] {
  switch (passage.kind) {
    case 'key-value':
      return [passage.key, passage.value, ...passage.sentences]
    case 'table-row':
      return passage.cells.filter((cell) => cell !== null)
    case 'list-item':
      return [
        passage.marker,
        passage.body,
        ...(passage.label === undefined ? [] : [passage.label]),
        ...passage.sentences,
      ]
    case 'code':
      return []
    case 'paragraph':
    case 'quote':
      return [passage.body, ...(passage.label === undefined ? [] : [passage.label]), ...passage.sentences]
  }
}

/** Every index points backwards to something that exists. */
function indexFaults({ passages, headings, tables, parts }: Structure): string[] {
  const faults: string[] = []
  const check = (name: string, index: number | null, limit: number) => {
    if (index !== null && !(index >= 0 && index < limit)) faults.push(`${name} ${index} of ${limit}`)
  }
  for (const [index, passage] of passages.entries()) {
    check('under', passage.under, index)
    check('heading', passage.heading, headings.length)
    check('part', passage.part, parts.length)
  }
  for (const [index, heading] of headings.entries()) {
    check('parent', heading.parent, index)
    if (heading.span[1] - heading.span[0] > 200) faults.push(`heading at ${heading.span[0]} is too long`)
  }
  for (const table of tables) {
    check('caption', table.caption, headings.length)
    check('announcing passage', table.under, passages.length)
  }
  for (const part of parts) check('first passage', part.passage, passages.length + 1)
  return faults
}

/** Every character that is not white space lies in exactly one piece. */
function coverageFaults(text: string, structure: Structure): string[] {
  const times = new Uint8Array(text.length)
  for (const [start, end] of pieces(structure)) {
    for (let at = start; at < end; at += 1) times[at] = (times[at] ?? 0) + 1
  }
  const faults: string[] = []
  for (let at = 0; at < text.length && faults.length < 3; at += 1) {
    const blank = text.charAt(at).trim() === ''
    if (times[at] === 1 || (blank && times[at] === 0)) continue
    faults.push(`${JSON.stringify(text.slice(at, at + 10))} at ${at} lies in ${times[at]} pieces`)
  }
  return faults
}

export function pieces({ header, parts, headings, passages, marks }: Structure): Span[] {
  const fields: readonly Field[] = [...header.fields, ...parts.flatMap((part) => part.fields)]
  const title = header.title === undefined ? [] : [header.title]
  return [...title, ...fields, ...headings, ...passages]
    .map((piece) => ('span' in piece ? piece.span : piece))
    .concat(marks)
}

function spansOf(structure: Structure): Span[] {
  const { header, parts, passages, tables } = structure
  const fields = [...header.fields, ...parts.flatMap((part) => part.fields)]
  const columns = tables.flatMap((table) => (table.columns ?? []).filter((cell) => cell !== null))
  return [
    ...pieces(structure),
    ...fields.flatMap((field) => [field.key, field.value]),
    ...columns,
    ...passages.flatMap(innerSpans),
  ]
}

/** The same text gives the same structure, and JSON carries all of it. */
function repeatFaults(text: string, structure: Structure): string[] {
  const json = JSON.stringify(structure)
  const again = JSON.stringify(readStructure(text)) === json ? [] : ['a second reading differs']
  return JSON.stringify(JSON.parse(json)) === json ? again : [...again, 'JSON loses something']
}
