/**
 * Decides what a text is before it is read as one: prose and tables, or markup, encoded bytes or garbage, whatever its type says. Also
 * finds long blocks that are not text inside of one that is, such as the attachment of an e-mail. Linear in the length of the text.
 */
import type { ContentFormat } from './report.ts'
import { isSpace } from './characters.ts'
import { findBase64 } from './content/base64.ts'
import { findBinary, hasFileSignature, isFullOfControls, isGarbage } from './content/binary.ts'
import { findPages, isMarkup } from './content/markup.ts'
import type { Span } from './format.ts'

export interface TextContent {
  readonly format: ContentFormat
  /** Blocks of a text that are not text, in order and apart from one another. Empty where the format is another one. */
  readonly blocks: readonly Span[]
}

interface Block {
  readonly span: Span
  readonly format: ContentFormat
}

/** A block this long is not read; a key, a hash or a token is shorter. */
const longBlock = 1000
/** So is a shorter one where blocks are most of the text. */
const mediumBlock = 400

/** With fewer words beside them, blocks are what the text is. */
const fewWords = 40
/** A key in a sentence is not. */
const hardlyAny = 5

export function readContent(text: string): TextContent {
  if (hasFileSignature(text)) return { format: 'binary', blocks: [] }
  const found = findBlocks(text)
  const beside = blankOut(text, spansOf(found))
  const isMost = lengthOf(found) > countSolid(text) / 2
  if (isMost && isAlmostAll(found, beside)) return { format: findLargest(found), blocks: [] }
  if (isFullOfControls(beside) || isGarbage(beside)) return { format: 'binary', blocks: [] }
  if (isMarkup(beside)) return { format: 'html', blocks: [] }
  const shortest = isMost ? mediumBlock : longBlock
  return { format: 'text', blocks: spansOf(found.filter((block) => lengthOf([block]) >= shortest)) }
}

function isAlmostAll(found: readonly Block[], beside: string): boolean {
  return countWords(beside) < (lengthOf(found) >= longBlock ? fewWords : hardlyAny)
}

function findLargest(blocks: readonly Block[]): ContentFormat {
  return blocks.toSorted((a, b) => lengthOf([b]) - lengthOf([a]))[0]?.format ?? 'binary'
}

function spansOf(blocks: readonly Block[]): Span[] {
  return blocks.map(({ span }) => span)
}

/** In order and without overlaps: of two that do, the first is kept. */
function findBlocks(text: string): Block[] {
  const all: Block[] = [
    ...findPages(text).map((span): Block => ({ span, format: 'html' })),
    ...findBinary(text).map((span): Block => ({ span, format: 'binary' })),
    ...findBase64(text).map((span): Block => ({ span, format: 'base64' })),
  ]
  let end = 0
  return all
    .toSorted((a, b) => a.span[0] - b.span[0])
    .filter(({ span }) => {
      if (span[0] < end) return false
      end = span[1]
      return true
    })
}

function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { span }) => sum + span[1] - span[0], 0)
}

function countSolid(text: string): number {
  let solid = 0
  for (let at = 0; at < text.length; at += 1) if (!isSpace(text.charCodeAt(at))) solid += 1
  return solid
}

/** Fields and boundaries of MIME, and the first and last line of a PEM block, wrap something and say nothing. */
const wrapping = /^(?:[\w-]+:|--|\s+\w+=)/

function countWords(text: string): number {
  let words = 0
  for (const line of text.split('\n'))
    if (!wrapping.test(line)) words += line.match(/\p{L}{2,}/gu)?.length ?? 0
  return words
}

/** The same text with line breaks in the place of blocks: offsets stay, and nothing is read across a block. */
export function blankOut(text: string, blocks: readonly Span[]): string {
  let [rest, at] = ['', 0]
  for (const [start, end] of blocks) {
    rest += text.slice(at, start) + '\n'.repeat(end - start)
    at = end
  }
  return at === 0 ? text : rest + text.slice(at)
}
