/** Joins the pieces of a text and counts its code points as it grows, so that a text that becomes too long is given up early. */
import { countCharacters } from '../domain/code-points.ts'
import { MAX_FILE_CHARACTERS } from '../domain/file-layout.ts'
import { ExtractionFailure } from './failure.ts'

export interface TextBuilder {
  /** In code points. */
  length(): number
  add(text: string): void
  /** Adds a piece with this between it and what is there, if anything is. Returns where the piece begins. */
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
