/**
 * The grammar of `Key: value`. It is clear where the value stands apart or aligned, as in a form; else the key must read
 * like one: few words, a capital, no end of a sentence, no verb that leads into speech.
 */
import { isDigit, isLetter, isLower, isSpace, skipSpaces, tab, trimmed } from './characters.ts'
import { isEmphasis, strippedOfEmphasis } from './emphasis.ts'
import type { Span } from './format.ts'
import { countWords } from './lines.ts'
import type { Line } from './lines.ts'

export interface Keyed {
  readonly key: Span
  /** Null where nothing follows on the line: a label. */
  readonly value: Span | null
  /** Two spaces or a tab stand behind the colon: a form, not a sentence. */
  readonly strong: boolean
}

/** No key reaches further than this, which also bounds the search. */
const longest = { weak: 60, strong: 100 } as const
const maxWords = { weak: 7, strong: 16 } as const

const colon = 0x3a
const wideColon = 0xff1a
const question = 0x3f

/** The key of a whole line. */
export function keyOf(text: string, line: Line): Keyed | null {
  return line.colons === 0 ? null : readKeyed(text, line.from, line.to)
}

export function readKeyed(text: string, from: number, to: number): Keyed | null {
  const sign = findSign(text, from, to)
  if (sign === -1) return null
  let after = sign + 1
  while (after < to && isEmphasis(text, after)) after += 1
  const value = trimmed(text, after, to)
  const strong = value !== null && isApart(text, after, value[0])
  // A question is a key only in a form: `Encryption at rest?    Yes`.
  if (text.charCodeAt(sign) === question && !strong) return null
  const raw = trimmed(text, from, sign)
  const bare = raw === null ? null : strippedOfEmphasis(text, raw)
  const key = bare === null ? null : trimmed(text, bare[0], bare[1])
  return key !== null && isKey(text, key, strong ? 'strong' : 'weak') ? { key, value, strong } : null
}

/** The first colon that white space follows, signs of emphasis apart, or a question mark before a wide space. */
function findSign(text: string, from: number, to: number): number {
  const limit = Math.min(to, from + longest.strong + 10)
  for (let at = from + 1; at < limit; at += 1) {
    const code = text.charCodeAt(at)
    if (code === wideColon) return at
    if (code === colon && endsKey(text, at + 1, to)) return at
    if (code === question && isApart(text, at + 1, skipSpaces(text, at + 1, Math.min(to, at + 4)))) return at
  }
  return -1
}

function endsKey(text: string, after: number, to: number): boolean {
  let at = after
  while (at < Math.min(to, after + 3) && isEmphasis(text, at)) at += 1
  return at >= to || isSpace(text.charCodeAt(at))
}

function isApart(text: string, after: number, value: number): boolean {
  if (value - after >= 2) return true
  return value - after === 1 && text.charCodeAt(after) === tab
}

function isKey(text: string, key: Span, strength: 'weak' | 'strong'): boolean {
  const [start, end] = key
  if (end - start > longest[strength] || countWords(text, start, end) > maxWords[strength]) return false
  return strength === 'strong' || readsAsKey(text, key)
}

/** Words that end the first half of a sentence, not a key: `She said: …`, `the following are: …`. */
const leading = new Set(
  'said says writes wrote reads read states stated asked added is are was were follows following that as to'.split(
    ' ',
  ),
)

const inSentence = /[.!?;]\s|["“”«»|]/

function readsAsKey(text: string, [start, end]: Span): boolean {
  if (!isLetter(text, start) && !isDigit(text.charCodeAt(start))) return false
  const words = text.slice(start, end)
  if (inSentence.test(words) || (words.includes('(') && !words.includes(')'))) return false
  const last = words.lastIndexOf(' ') + 1
  if (last > 0 && leading.has(words.slice(last).toLowerCase())) return false
  // `version: 2` is a key; a long lower-case start is the rest of a sentence.
  return !isLower(text, start) || countWords(text, start, end) <= 3
}

/** Whether the piece announces what follows it. */
export function endsInColon(text: string, [, end]: Span): boolean {
  let at = end - 1
  while (at > 0 && isEmphasis(text, at)) at -= 1
  const code = text.charCodeAt(at)
  return code === colon || code === wideColon
}

/** The key in lower case, to look it up. */
export function keyName(text: string, key: Span): string {
  return text.slice(key[0], Math.min(key[1], key[0] + 40)).toLowerCase()
}
