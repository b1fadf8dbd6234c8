/**
 * Cuts a text into the windows that a model reads one at a time. A text of ordinary length is one window; a longer one is cut where its
 * structure allows: between passages, before a heading if one is near. Windows follow each other and together hold the whole text.
 */
import type { Passage, Span, Structure } from '@concord/reading/src/format.ts'

export interface TextWindow {
  readonly span: Span
  /** Index of the first passage that begins in it; the number of passages where none does. */
  readonly passage: number
}

/** A text up to this length is one window. */
const maxWords = { whole: 2500, window: 1500 } as const
/** From this length on, a heading ends a window. */
const enoughWords = 1000
/** Longer passages are cut; no sentence is longer than 4,000 units. */
const maxPiece = 6000

interface Piece {
  readonly start: number
  readonly opensSection: boolean
}

export function planWindows(text: string, structure: Structure): TextWindow[] {
  if (text.trim() === '') return []
  const words = countWords(text, [0, text.length])
  const starts = words <= maxWords.whole ? [] : findStarts(text, listPieces(text, structure))
  return toWindows(text, structure, [0, ...starts])
}

function toWindows(text: string, { passages }: Structure, starts: readonly number[]): TextWindow[] {
  let passage = 0
  return starts.map((start, index) => {
    while ((passages[passage]?.span[0] ?? Infinity) < start) passage += 1
    return { span: [start, starts[index + 1] ?? text.length], passage }
  })
}

/** Splits a window that is too long for the model in two; null if it cannot be split. */
export function halveWindow(text: string, structure: Structure, { span }: TextWindow): TextWindow[] | null {
  const inside = listPieces(text, structure)
    .map(({ start }) => start)
    .filter((start) => start > span[0] && start < span[1])
  const middle = (span[0] + span[1]) / 2
  const [cut] = inside.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  if (cut === undefined) return null
  const passageAt = (from: number) => {
    const found = structure.passages.findIndex((passage) => passage.span[0] >= from)
    return found === -1 ? structure.passages.length : found
  }
  return [
    { span: [span[0], cut], passage: passageAt(span[0]) },
    { span: [cut, span[1]], passage: passageAt(cut) },
  ]
}

function findStarts(text: string, pieces: readonly Piece[]): number[] {
  const starts: number[] = []
  let words = 0
  for (const [index, { start, opensSection }] of pieces.entries()) {
    const own = countWords(text, [start, pieces[index + 1]?.start ?? text.length])
    const isFull = words + own > maxWords.window || (opensSection && words >= enoughWords)
    if (isFull && words > 0) {
      starts.push(start)
      words = 0
    }
    words += own
  }
  return starts
}

/** The positions at which the text may be cut, in order. */
function listPieces(text: string, { headings, passages }: Structure): Piece[] {
  const sections = headings.map(({ span }): Piece => ({ start: span[0], opensSection: true }))
  const others = passages.flatMap((passage) =>
    cutPassage(text, passage).map((start): Piece => ({ start, opensSection: false })),
  )
  return [...sections, ...others].filter(({ start }) => start > 0).toSorted((a, b) => a.start - b.start)
}

function cutPassage(text: string, passage: Passage): number[] {
  const [start, end] = passage.span
  if (end - start <= maxPiece) return [start]
  const sentences = 'sentences' in passage ? passage.sentences.map((sentence) => sentence[0]) : []
  return sentences.length > 1
    ? [start, ...sentences.filter((at) => at > start)]
    : cutBlindly(text, passage.span)
}

/** Code, a row or a field without sentences: at the last white space before the limit, or at the limit. */
function cutBlindly(text: string, [start, end]: Span): number[] {
  const cuts = [start]
  for (let from = start; end - from > maxPiece; from = cuts.at(-1) ?? end) {
    const space = text.slice(from, from + maxPiece).search(/\s\S*$/u)
    const cut = from + (space > 0 ? space + 1 : maxPiece)
    cuts.push(isInsidePair(text, cut) ? cut - 1 : cut)
  }
  return cuts
}

function isInsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

/** A word of a script without spaces is taken for six characters. */
const unitsPerWord = 6

export function countWords(text: string, [start, end]: Span): number {
  let [words, solid] = [0, 0]
  let isWord = false
  for (let at = start; at < end; at += 1) {
    const isBlank = text.charCodeAt(at) <= 0x20
    if (!isBlank) solid += 1
    if (!isBlank && !isWord) words += 1
    isWord = !isBlank
  }
  return Math.max(words, Math.floor(solid / (2 * unitsPerWord)))
}
