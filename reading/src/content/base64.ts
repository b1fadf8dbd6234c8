/** Finds bytes that are written in letters: base64 and hexadecimal digits, on one line or wrapped, also inside of a text. */
import type { Span } from '../format.ts'

interface Token {
  readonly start: number
  readonly end: number
  readonly isEncoded: boolean
}

/** Shorter ones may be words, names or numbers of things. */
const shortest = 16
const shortestHex = 32
/** No word is this long, whatever its letters are. */
const longerThanWords = 300
/** Line breaks, marks of quotation, and what stands between strings of JSON. */
const widestGap = 12

/** Runs of encoded tokens with nothing but white space, quotes or commas between them. */
export function findBase64(text: string): Span[] {
  const runs: Span[] = []
  let [run, last]: [Span | null, Token | null] = [null, null]
  for (const token of tokensOf(text)) {
    if (run !== null && last !== null && goesOn(text, last, token)) run = [run[0], token.end]
    else {
      if (run !== null) runs.push(run)
      run = token.isEncoded ? [token.start, token.end] : null
    }
    last = token
  }
  return run === null ? runs : [...runs, run]
}

/** The last line of a block is shorter, and zeros are encoded as the same letter again and again. */
function goesOn(text: string, before: Token, token: Token): boolean {
  if (token.start - before.end > widestGap || !/^[\s>"',]*$/.test(text.slice(before.end, token.start)))
    return false
  const length = token.end - token.start
  if (token.isEncoded) return true
  return (length >= shortest && length === before.end - before.start) || text.charAt(token.end - 1) === '='
}

function* tokensOf(text: string): Generator<Token> {
  for (let at = 0; at < text.length; at += 1) {
    if (classOf(text.charCodeAt(at)) === none) continue
    const token = readToken(text, at)
    yield token
    at = token.end - 1
  }
}

const [none, upper, lower, digit, sign] = [0, 1, 2, 3, 4]

function classOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return lower
  if (code >= 0x41 && code <= 0x5a) return upper
  if (code >= 0x30 && code <= 0x39) return digit
  return code === 0x2b || code === 0x2f || code === 0x2d || code === 0x5f || code === 0x3d ? sign : none
}

function isHex(code: number): boolean {
  const low = code | 0x20
  return (code >= 0x30 && code <= 0x39) || (low >= 0x61 && low <= 0x66)
}

function readToken(text: string, start: number): Token {
  const counts = [0, 0, 0, 0, 0]
  let [end, turns, hex, before] = [start, 0, 0, none]
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end)
    const kind = classOf(code)
    if (kind === none) break
    counts[kind] = (counts[kind] ?? 0) + 1
    if (kind !== before) turns += 1
    if (isHex(code)) hex += 1
    before = kind
  }
  return { start, end, isEncoded: looksEncoded(end - start, counts, turns, hex) }
}

/** Letters and digits change places in it far more often than in a name, a path or a word in camel case. */
function looksEncoded(length: number, counts: readonly number[], turns: number, hex: number): boolean {
  if (length < shortest || (counts[sign] ?? 0) > length / 5) return false
  if (length >= longerThanWords) return true
  if (hex === length) return length >= shortestHex && (counts[digit] ?? 0) < length
  const mixed = (counts[upper] ?? 0) > 0 && (counts[lower] ?? 0) > 0
  return mixed && turns >= length * 0.35 && ((counts[digit] ?? 0) > 0 || length >= 2 * shortest)
}
