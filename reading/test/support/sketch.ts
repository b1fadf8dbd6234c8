/** A structure in lines a person can read and write by hand, in the order of the text. */
import { plainText, readStructure } from '../../src/structure.ts'
import type { Field, Passage, Span, Structure } from '../../src/structure.ts'

interface Piece {
  readonly at: number
  readonly words: string
}

/**
 * One line for each piece: `title …`, `field key = value`, `part 0 key = value`, `#2 heading`, and for passages the kind,
 * `@` and the heading they stand under, `^` and the number of the passage they hang under, and the sentences.
 */
export function sketch(text: string): string[] {
  const structure = readStructure(text)
  const pieces = [
    ...headerPieces(text, structure),
    ...headingPieces(text, structure),
    ...structure.passages.map((passage) => ({
      at: passage.span[0],
      words: passageLine(text, structure, passage),
    })),
  ]
  return pieces.toSorted((a, b) => a.at - b.at).map((piece) => piece.words)
}

function headerPieces(text: string, { header, parts }: Structure): Piece[] {
  const title =
    header.title === undefined
      ? []
      : [{ at: header.title[0], words: `title ${plainText(text, header.title)}` }]
  const fields = header.fields.map((field) => fieldPiece(text, 'field', field))
  const inParts = parts.flatMap((part, index) =>
    part.fields.map((field) => fieldPiece(text, `part ${index}`, field)),
  )
  return [...title, ...fields, ...inParts]
}

function fieldPiece(text: string, name: string, { span, key, value }: Field): Piece {
  return { at: span[0], words: `${name} ${plainText(text, key)} = ${plainText(text, value)}` }
}

function headingPieces(text: string, { headings }: Structure): Piece[] {
  return headings.map(({ level, span }) => ({ at: span[0], words: `#${level} ${plainText(text, span)}` }))
}

function passageLine(text: string, structure: Structure, passage: Passage): string {
  const heading = passage.heading === null ? undefined : structure.headings[passage.heading]
  const place = heading === undefined ? '' : ` @${plainText(text, heading.span)}`
  const under = passage.under === null ? '' : ` ^${passage.under}`
  return `${nameOf(text, passage)}${place}${under} | ${contentOf(text, passage)}`
}

function nameOf(text: string, passage: Passage): string {
  const quoted = passage.quote > 0 && passage.kind !== 'quote' ? ' quoted' : ''
  if (passage.kind === 'list-item') return `item ${text.slice(...passage.marker)} ${passage.depth}${quoted}`
  if (passage.kind === 'table-row')
    return `row ${passage.table}.${passage.row}${passage.header ? ' head' : ''}${quoted}`
  if (passage.kind === 'quote') return `quote ${passage.quote}`
  return `${passage.kind}${quoted}`
}

function contentOf(text: string, passage: Passage): string {
  const words = (span: Span) => plainText(text, span, passage.quote)
  switch (passage.kind) {
    case 'key-value':
      return `${words(passage.key)} = ${words(passage.value)}`
    case 'table-row':
      return passage.cells.map((cell) => (cell === null ? '∅' : words(cell))).join(' | ')
    case 'code':
      return words(passage.span)
    case 'paragraph':
    case 'quote':
    case 'list-item': {
      const label = passage.label === undefined ? '' : `[${words(passage.label)}] `
      return label + passage.sentences.map(words).join(' / ')
    }
  }
}
