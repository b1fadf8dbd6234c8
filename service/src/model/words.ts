/** Words of a text in one spelling, without those that every sentence has. */
import { canonical } from '@concord/reading/src/words/canon.ts'
import { smallWords } from '@concord/reading/src/words/lexicon.ts'

export interface SpelledWord {
  readonly stem: string
  /** A name, a code or a number by the way it is written. */
  readonly isSpecific: boolean
}

const word = /[\p{L}\p{N}]+(?:[.,'’&/-][\p{L}\p{N}]+)*/gu
const digit = /\p{N}/u
/** No word that means something is longer. */
const maxLength = 40

export function spelledWords(text: string): SpelledWord[] {
  const found: SpelledWord[] = []
  for (const [index, raw] of (text.match(word) ?? []).entries()) {
    const spelled = spell(raw, index)
    if (spelled !== null) found.push(spelled)
  }
  return found
}

function spell(raw: string, index: number): SpelledWord | null {
  const lower = raw.toLowerCase()
  const low = lower.endsWith("'s") || lower.endsWith('’s') ? lower.slice(0, -2) : lower
  if (low.length > maxLength || smallWords.has(low)) return null
  const hasDigit = digit.test(low)
  const isName = index > 0 && raw.charAt(0) !== low.charAt(0)
  return { stem: hasDigit ? low : canonical(low), isSpecific: hasDigit || isName }
}

export function stemsOf(text: string): string[] {
  return [...new Set(spelledWords(text).map(({ stem }) => stem))]
}
