/** Ranges of a text in code points, which is how the contract counts characters. */

export { countCharacters } from '@concord/reading/src/code-points.ts'

const SURROGATE = /[\ud800-\udbff]/

export interface TextRange {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Returns the part of the text in the range. Both ends are clamped to the text. */
export function sliceCodePoints(text: string, start: number, end: number, characters: number): TextRange {
  const from = Math.min(start, characters)
  const to = Math.max(from, Math.min(end, characters))
  if (!SURROGATE.test(text)) return { start: from, end: to, text: text.slice(from, to) }
  const first = unitAt(text, 0, from)
  return { start: from, end: to, text: text.slice(first, unitAt(text, first, to - from)) }
}

/** Returns the index of the UTF-16 unit that is `codePoints` code points after `unit`. */
function unitAt(text: string, unit: number, codePoints: number): number {
  let at = unit
  for (let passed = 0; passed < codePoints; passed += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}
