/** The look of headings without signs. */
import { isDigit, isSpace, isUpper } from '../characters.ts'
import { countWords } from '../lines.ts'
import type { Line } from '../lines.ts'

/** No stop, comma or colon at the end. */
export function endsLikeTitle(text: string, line: Line): boolean {
  return !'.,;:!?…。：'.includes(text.charAt(line.to - 1))
}

/** Few words, a capital or a number first, no end of a sentence: `Scope of work`. */
export function isTitle(text: string, from: number, to: number): boolean {
  if (to - from > 80 || !(isUpper(text, from) || isDigit(text.charCodeAt(from)))) return false
  if ('.,;:!?…'.includes(text.charAt(to - 1))) return false
  return !/;|[a-z]\.\s/.test(text.slice(from, to)) && countWords(text, from, to) <= 10
}

/** Whether every letter outside brackets that has a case is a capital, and there is a word among them. */
export function isCapitals(text: string, from: number, to: number): boolean {
  const words = text.slice(from, to).replaceAll(/\([^()]*\)/g, '')
  return words === words.toUpperCase() && /\p{Lu}{3}/u.test(words)
}

/** Skips one word and the spaces behind it. */
export function afterWord(text: string, from: number, to: number): { end: number; next: number } {
  let end = from
  while (end < to && !isSpace(text.charCodeAt(end))) end += 1
  let next = end
  while (next < to && isSpace(text.charCodeAt(next))) next += 1
  return { end, next }
}
