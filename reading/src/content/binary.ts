/** Finds bytes that were taken for characters: signatures of files, control characters, and letters that make no words. */
import { isLineEnd } from '../characters.ts'
import type { Span } from '../format.ts'
import { SMALL_WORDS } from '../languages/small-words.ts'

/** How files begin whose bytes were read as UTF-8 or as Latin-1. */
const signatures = [
  '%!PS-Adobe',
  'PK\u0003\u0004',
  'PK\u0005\u0006',
  '\u0089PNG\r\n',
  '\ufffdPNG\r\n',
  '\u0089PNG\n',
  '\ufffdPNG\n',
  'GIF87a',
  'GIF89a',
  '\u00ff\u00d8\u00ff',
  '\u00d0\u00cf\u0011\u00e0',
  'Rar!\u001a',
  '7z\u00bc\u00af',
  '\u001f\u008b',
  '\u001f\ufffd',
  '\u007fELF',
  'SQLite format 3',
  '{\\rtf1',
  'OggS',
]
/** A text may begin by speaking of a PDF; a PDF goes on in another line. */
const pdf = /^%PDF-\d\.\d\s*[\r\n]/

export function hasFileSignature(text: string): boolean {
  const head = text.slice(0, 64).trimStart()
  return pdf.test(head) || signatures.some((signature) => head.startsWith(signature))
}

/** A share of all characters; a text with a few broken ones is one still. */
const maxControls = 0.05

export function isFullOfControls(text: string): boolean {
  let [controls, solid] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isControl(code)) controls += 1
    if (code > 0x20) solid += 1
  }
  return controls > maxControls * Math.max(solid, 20)
}

/** Left out are white space and the escape of terminals, which colours logs. U+FFFD stands for bytes that are no character. */
function isControl(code: number): boolean {
  if (code < 0x20) return (code < 0x09 || code > 0x0d) && code !== 0x1b
  return (
    (code >= 0x7f && code <= 0x9f && code !== 0x85) || code === 0xfffd || code === 0xfffe || code === 0xffff
  )
}

/** A share of the characters of a line. */
const manyControls = 0.1

/** Runs of lines that are full of control characters. */
export function findBinary(text: string): Span[] {
  const blocks: Span[] = []
  let [start, controls, block]: [number, number, Span | null] = [0, 0, null]
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0x0a
    if (isControl(code)) controls += 1
    if (!isLineEnd(code)) continue
    if (controls >= 2 && controls >= manyControls * (at - start)) block = [block?.[0] ?? start, at]
    else if (block !== null && at > start) {
      blocks.push(block)
      block = null
    }
    ;[start, controls] = [at + 1, 0]
  }
  return block === null ? blocks : [...blocks, block]
}

/** Fewer letters say nothing. */
const fewestLetters = 60
const fewestLong = 120
/** In words of every language we know more of the letters are in words, and more of them are vowels. */
const leastInWords = 0.35
const leastVowels = 0.28

/** Random characters: letters that change their case within a word, stand between signs, or have hardly a vowel among them. */
export function isGarbage(text: string): boolean {
  const counts = { letters: 0, inWords: 0, long: 0, vowels: 0 }
  for (let at = 0; at < text.length; at += 1) {
    if (!isLetter(text.charCodeAt(at))) continue
    const start = at
    while (at + 1 < text.length && isLetter(text.charCodeAt(at + 1))) at += 1
    countRun(text, start, at + 1, counts)
  }
  const { letters, inWords, long, vowels } = counts
  if (letters >= fewestLetters && inWords < leastInWords * letters) return true
  return long >= fewestLong && long > letters / 2 && vowels < leastVowels * long && !hasKnownWords(text)
}

const maxWords = 2000

/** Random letters make a word of two letters now and then, but hardly any longer one. */
function hasKnownWords(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .match(/\p{L}{3,}/gu)
      ?.slice(0, maxWords) ?? []
  return words.filter((word) => SMALL_WORDS.has(word)).length >= words.length * 0.03
}

interface LetterCounts {
  letters: number
  /** Letters of runs that could be words. */
  inWords: number
  /** Letters of longer runs in lower case, and the vowels among them. */
  long: number
  vowels: number
}

function countRun(text: string, start: number, end: number, counts: LetterCounts): void {
  const length = end - start
  counts.letters += length
  let [capitals, vowels, foreign] = [0, 0, 0]
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 0x250) foreign += 1
    else if (isCapital(code)) capitals += 1
    if (isVowel(code)) vowels += 1
  }
  if (foreign > 0) counts.inWords += length
  else countLatin({ length, capitals, vowels, begins: isCapital(text.charCodeAt(start)) }, counts)
}

interface LatinRun {
  readonly length: number
  readonly capitals: number
  readonly vowels: number
  /** It begins with a capital. */
  readonly begins: boolean
}

function countLatin({ length, capitals, vowels, begins }: LatinRun, counts: LetterCounts): void {
  const isOneCase = capitals === 0 || capitals === length || (capitals === 1 && begins)
  if (isOneCase && vowels > 0 && (length >= 3 || capitals === 0)) counts.inWords += length
  if (capitals > 1 || length < 4) return
  counts.long += length
  counts.vowels += vowels
}

function isLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
  if (code < 0xc0) return false
  return code !== 0xd7 && code !== 0xf7 && (code < 0x2000 || code >= 0x2c00) && code < 0xfff0
}

function isCapital(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0xc0 && code <= 0xde)
}

const vowelCodes = new Set(Array.from('aeiouyAEIOUY', (letter) => letter.charCodeAt(0)))

/** Letters with accents are vowels more often than not. */
function isVowel(code: number): boolean {
  return code >= 0xc0 || vowelCodes.has(code)
}
