/** Words of a text in one spelling, without those that every sentence has. */
import { canonical } from '../reading/claims/canon.ts'
import { smallWords } from '../reading/claims/lexicon.ts'

export interface SpelledWord {
  readonly stem: string
  /** A name, a code or a number by the way it is written. */
  readonly isSpecific: boolean
}

const word = /[\p{L}\p{N}]+(?:[.,'’&/-][\p{L}\p{N}]+)*/gu
/** No word that means something is longer. */
const maxLength = 40

export function spelledWords(text: string): SpelledWord[] {
  return Array.from(text.matchAll(word), ([raw], index) => spell(raw, index)).filter((each) => each !== null)
}

function spell(raw: string, index: number): SpelledWord | null {
  const low = raw.toLowerCase().replace(/['’]s$/u, '')
  if (low.length > maxLength || smallWords.has(low)) return null
  const hasDigit = /\p{N}/u.test(low)
  const isName = index > 0 && raw.charAt(0) !== low.charAt(0)
  return { stem: hasDigit ? low : canonical(low), isSpecific: hasDigit || isName }
}

export function stemsOf(text: string): string[] {
  return [...new Set(spelledWords(text).map(({ stem }) => stem))]
}
