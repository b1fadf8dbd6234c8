/** A quote in three parts: what stands before its value, the value, and what stands after it. */
import type { ContradictionSide } from '../src/index.ts'
import { oneLine } from './words.ts'

export type MarkedQuote = readonly [before: string, value: string, after: string]

/** The value is empty where the quote does not hold it word by word. */
export function markQuote({ quote, value }: ContradictionSide): MarkedQuote {
  const line = oneLine(quote)
  const wanted = oneLine(value?.text ?? '')
  const at = wanted === '' ? -1 : line.indexOf(wanted)
  return at === -1 ? [line, '', ''] : [line.slice(0, at), wanted, line.slice(at + wanted.length)]
}
