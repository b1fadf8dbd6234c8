/** The pieces of a document whose language is judged: sentences, rows, fields, headings and the title, in the order of the text. */
import type { Passage, Span, Structure } from '../format.ts'
import type { LanguageVerdict } from './guess.ts'

export interface Piece {
  readonly span: Span
  readonly kind: 'sentence' | 'short' | 'heading'
  /** Index of the passage it belongs to; null for headings and fields. */
  readonly passage: number | null
  readonly heading: number | null
}

export interface JudgedPiece extends Piece {
  /** The language that the piece shows by itself. */
  readonly verdict: LanguageVerdict
  readonly words: number
}

export function listPieces({ header, headings, parts, passages }: Structure): Piece[] {
  const fields = [...header.fields, ...parts.flatMap((part) => part.fields)]
  const pieces: Piece[] = [
    ...(header.title === undefined ? [] : [aside(header.title, 'heading')]),
    ...fields.map(({ span }) => aside(span, 'short')),
    ...headings.map(({ span }, heading) => ({ ...aside(span, 'heading'), heading })),
    ...passages.flatMap(piecesOfPassage),
  ]
  return pieces.toSorted((a, b) => a.span[0] - b.span[0])
}

function aside(span: Span, kind: Piece['kind']): Piece {
  return { span, kind, passage: null, heading: null }
}

function piecesOfPassage(passage: Passage, index: number): Piece[] {
  const { heading, span } = passage
  if (passage.kind === 'paragraph' || passage.kind === 'quote' || passage.kind === 'list-item') {
    if (passage.sentences.length > 0)
      return passage.sentences.map((sentence) => ({
        span: sentence,
        kind: 'sentence' as const,
        passage: index,
        heading,
      }))
  }
  return [{ span, kind: 'short', passage: index, heading }]
}
