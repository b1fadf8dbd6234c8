/** Ranges of a text in code points, as the contract counts them. */

export { countCharacters } from '@concord/reading/src/code-points.ts'

const SURROGATE = /[\ud800-\udbff]/

export interface TextRange {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Cuts a range to the text: both ends stay within the text. */
export function sliceCodePoints(text: string, start: number, end: number, characters: number): TextRange {
  const from = Math.min(start, characters)
  const to = Math.max(from, Math.min(end, characters))
  if (!SURROGATE.test(text)) return { start: from, end: to, text: text.slice(from, to) }
  const first = unitAt(text, 0, from)
  return { start: from, end: to, text: text.slice(first, unitAt(text, first, to - from)) }
}

/** Where the UTF-16 unit is that begins so many code points after `unit`. */
function unitAt(text: string, unit: number, codePoints: number): number {
  let at = unit
  for (let passed = 0; passed < codePoints; passed += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}
