/** A sentence as words with offsets, cut once and used by every rule: a rule asks a word for what it needs to know. */
import { isDigit, isSpace } from '@concord/reading/src/characters.ts'
import { apostrophe, curly, spellingOf } from './spelling.ts'
import type { Token } from './token.ts'
import { isVerbAt } from './verbs.ts'

/** Longer pieces are cut here: nobody writes such words. */
const longest = 60
/** More words than this are no sentence. */
export const maxTokens = 400

export function tokenise(text: string, start: number, end: number): Token[] {
  const tokens: Cut[] = []
  let at = start
  while (at < end && tokens.length < maxTokens) {
    const code = text.charCodeAt(at)
    if (isSpace(code) || isMark(code)) at += 1
    else if (isWordPart(code)) {
      const stop = wordEnd(text, at, Math.min(end, at + longest))
      tokens.push(wordToken(text, at, stop))
      at = stop
    } else {
      tokens.push(signToken(text, at))
      at += 1
    }
  }
  // The neighbours decide, so verbs are told when all words are there.
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token !== undefined && !token.sign && !token.digit) token.verb = isVerbAt(tokens, index)
  }
  return tokens
}

interface Cut extends Token {
  verb: boolean
}

/** Emphasis is not said. */
function isMark(code: number): boolean {
  return code === 0x2a || code === 0x60 || code === 0x5f
}

function isWordPart(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isDigit(code)
  if (code >= 0x2000 && code <= 0x2bff) return false
  return code >= 0xc0 && code !== 0xd7 && code !== 0xf7
}

function wordEnd(text: string, from: number, to: number): number {
  let at = from + 1
  while (at < to) {
    const code = text.charCodeAt(at)
    if (isWordPart(code)) at += 1
    else if (at + 1 < to && joins(text, at, code)) at += 2
    else break
  }
  // The last point of an abbreviation belongs to it: `B.V.`, `s.r.o.`
  if (at < to && text.charAt(at) === '.' && at - from >= 3 && text.charAt(at - 2) === '.') return at + 1
  return at
}

/** Whether a sign stands inside a word: `follow-up`, `R&D`, `Kraft's`, `3.5`, `B.V`. */
function joins(text: string, at: number, code: number): boolean {
  const next = text.charCodeAt(at + 1)
  if (!isWordPart(next)) return false
  if (code === 0x2d || code === apostrophe || code === curly || code === 0x26) return true
  if (code === 0x2f) return !isDigit(next) || !isDigit(text.charCodeAt(at - 1))
  if (code === 0x2e || code === 0x2c) return joinsPoint(text, at, code, next)
  return false
}

function joinsPoint(text: string, at: number, code: number, next: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (isDigit(before) && isDigit(next)) return true
  if (code === 0x2c || isDigit(before) || isDigit(next)) return false
  // A single letter before the point, or between two points.
  return at < 2 || !isWordPart(text.charCodeAt(at - 2))
}

function wordToken(text: string, start: number, stop: number): Cut {
  const { low, word, capital, capitals, digit, possessive } = spellingOf(text.slice(start, stop))
  return { start, end: stop, low, word, sign: false, capital, capitals, digit, possessive, verb: false }
}

const signs = new Map<string, string>([
  ['“', '"'],
  ['”', '"'],
  ['„', '"'],
  ['«', '"'],
  ['»', '"'],
  ['–', '-'],
  ['—', '-'],
  ['[', '('],
  [']', ')'],
])

function signToken(text: string, at: number): Cut {
  const raw = text.charAt(at)
  const sign = signs.get(raw) ?? raw
  return {
    start: at,
    end: at + 1,
    low: sign,
    word: sign,
    sign: true,
    capital: false,
    capitals: false,
    digit: false,
    possessive: false,
    verb: false,
  }
}
