/** The properties of a word as it is written, without its neighbours. Texts are made of few words, so each is looked at once. */
import { isDigit } from '@concord/reading/src/characters.ts'
import { canonical } from '@concord/reading/src/words/canon.ts'
import type { Token } from './token.ts'

type Spelling = Pick<Token, 'low' | 'word' | 'capital' | 'capitals' | 'digit' | 'possessive'>

export const apostrophe = 0x27
export const curly = 0x2019

const remembered = new Map<string, Spelling>()
const maxRemembered = 10_000
/** Longer words, and figures, hardly come twice. */
const longestRemembered = 24

export function spellingOf(raw: string): Spelling {
  const known = remembered.get(raw)
  if (known !== undefined) return known
  if (raw.length > longestRemembered || hasDigit(raw)) return readSpelling(raw, asItIs)
  if (remembered.size >= maxRemembered) remembered.clear()
  const spelling = readSpelling(raw, ownCopy)
  remembered.set(ownCopy(raw), spelling)
  return spelling
}

function readSpelling(raw: string, kept: (word: string) => string): Spelling {
  const code = raw.charCodeAt(raw.length - 2)
  const possessive = raw.length > 2 && (code === apostrophe || code === curly) && /s/i.test(raw.slice(-1))
  const whole = possessive ? raw.slice(0, -2) : raw
  const low = kept(whole.toLowerCase())
  const capital = whole.charAt(0) !== low.charAt(0)
  const capitals = capital && whole.length > 1 && whole.toUpperCase() === whole && !/^.\d/.test(whole)
  return { low, word: kept(canonical(low)), capital, capitals, digit: hasDigit(raw), possessive }
}

function hasDigit(raw: string): boolean {
  for (let at = 0; at < raw.length; at += 1) if (isDigit(raw.charCodeAt(at))) return true
  return false
}

function asItIs(word: string): string {
  return word
}

/**
 * The same word as the engine keeps names of properties: one copy of each, found in any table by its address alone. A word
 * cut from a text would hold on to the whole text.
 */
function ownCopy(word: string): string {
  // Without a prototype it is a plain table, of which no hidden class is made for each word.
  const table: Record<string, true> = Object.create(null)
  table[word] = true
  return Object.keys(table)[0] ?? word
}
