/** Joins the pieces of a text and counts its code points, so that a text that is too long is refused early. */
import { countCharacters } from '../domain/code-points.ts'
import { MAX_FILE_CHARACTERS } from '../domain/file-layout.ts'
import { ExtractionFailure } from './failure.ts'

export interface TextBuilder {
  /** In code points. */
  length(): number
  add(text: string): void
  /** Appends a piece, with the separator before it unless the text is empty. Returns the start of the piece. */
  addApart(text: string, separator: string): number
  text(): string
}

export function createTextBuilder(): TextBuilder {
  const pieces: string[] = []
  let points = 0
  const add = (raw: string): void => {
    const text = raw.replaceAll('\0', '').toWellFormed()
    points += countCharacters(text, [0, text.length])
    if (points > MAX_FILE_CHARACTERS) throw new ExtractionFailure('text_too_long')
    pieces.push(text)
  }
  return {
    length: () => points,
    add,
    addApart(text, separator) {
      if (points > 0) add(separator)
      const start = points
      add(text)
      return start
    },
    text: () => pieces.join(''),
  }
}
