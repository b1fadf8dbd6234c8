/**
 * Sentences of one passage. `Intl.Segmenter` proposes where they end, a list of abbreviations takes wrong ends back.
 *
 * The segmenter gets a window at a time: it slows down badly on one long string, and hostile text may hold a sentence
 * without end. No sentence is longer than a window.
 */
import { isSpace } from './characters.ts'
import { bindsOn } from './abbreviations.ts'
import type { Span } from './format.ts'

const longest = 4000
/** How far behind an end the segmenter may look to be sure of it. */
const sight = 64

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
const terminal = /\p{Sentence_Terminal}/u
const emphasis = /[*_`]/g

/**
 * The sentences of `words`, which stand at `offset` in the text. Line breaks and quote marks inside must already be
 * spaces, so that a sentence runs over the end of a line.
 */
export function splitSentences(words: string, offset: number): Span[] {
  if (words.length <= longest && isOne(words)) return placed(words, [0, words.length], offset)
  // A sign of emphasis behind a full stop closes the sentence as a bracket would; the segmenter knows brackets.
  const plain = words.replaceAll(emphasis, ')')
  return placed(words, withoutFalseEnds(words, findEnds(plain)), offset)
}

/** No sign ends a sentence before the very last one: the usual case of an item or a value, and a cheap one. */
function isOne(words: string): boolean {
  const first = words.search(terminal)
  return first === -1 || first >= words.length - 1
}

interface End {
  readonly at: number
  /** Cut because the window was full, not because a sentence ended. */
  readonly forced: boolean
}

function findEnds(words: string): End[] {
  const ends: End[] = []
  for (let start = 0; start < words.length;) {
    const window = words.slice(start, start + longest)
    const final = start + longest >= words.length
    const certain = final ? window.length : window.length - sight
    let last = 0
    for (const { index } of segmenter.segment(window)) {
      if (index === 0 || index > certain) continue
      ends.push({ at: start + beforeOpening(window, index), forced: false })
      last = index
    }
    if (final) break
    if (last === 0) {
      last = safeCut(words, start) - start
      ends.push({ at: start + last, forced: true })
    }
    start += last
  }
  return [...ends, { at: words.length, forced: true }]
}

const opening = '“‘「『（《〈【［'

/** The segmenter takes every quotation mark for a closing one; with a word right behind it, it opens the next sentence. */
function beforeOpening(window: string, at: number): number {
  const opens =
    opening.includes(window.charAt(at - 1)) && at < window.length && !isSpace(window.charCodeAt(at))
  return opens ? at - 1 : at
}

const clinging = /^(?:\p{M}|\p{Join_Control})/u

/** A place to cut a window that holds no end: behind a space, else at least not inside a character. */
function safeCut(words: string, start: number): number {
  const full = start + longest
  for (let at = full; at > start + longest / 2; at -= 1) {
    if (isSpace(words.charCodeAt(at - 1))) return at
  }
  let at = full
  while (at > full - sight && clings(words, at)) at -= 1
  return splitsPair(words, at) ? at - 1 : at
}

/** Whether what stands at an offset belongs to the character before it: marks, joined emoji, halves of a pair. */
function clings(words: string, at: number): boolean {
  return (
    words.charCodeAt(at - 1) === 0x200d || splitsPair(words, at) || clinging.test(words.slice(at, at + 2))
  )
}

function splitsPair(words: string, at: number): boolean {
  const [high, low] = [words.charCodeAt(at - 1), words.charCodeAt(at)]
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff
}

function withoutFalseEnds(words: string, ends: readonly End[]): number[] {
  const kept = [0]
  let start = 0
  for (const [index, { at, forced }] of ends.entries()) {
    const next = ends[index + 1]?.at ?? at
    if (!forced && next - start <= longest && bindsOn(words, start, at)) continue
    kept.push(at)
    start = at
  }
  return kept
}

function placed(words: string, bounds: readonly number[], offset: number): Span[] {
  const sentences: Span[] = []
  for (let index = 1; index < bounds.length; index += 1) {
    let [start, end] = [bounds[index - 1] ?? 0, bounds[index] ?? 0]
    while (start < end && isSpace(words.charCodeAt(start))) start += 1
    while (end > start && isSpace(words.charCodeAt(end - 1))) end -= 1
    if (start < end) sentences.push([offset + start, offset + end])
  }
  return sentences
}
