/** Lists the faults of the places of claims in a text. Pure, so that it can be shown to notice each kind of fault. */
import type { SpannedClaim } from '../../harness/claims/reading.ts'

export const FAULTS = [
  'quotes that are not the text at their offsets',
  'values that are not the text at their offsets',
  'values outside their quote',
  'offsets that cut a character in two',
] as const

export type OffsetFault = (typeof FAULTS)[number]

/** Takes claims as the pure functions give them: offsets in UTF-16 units. */
export function judgeClaim(text: string, { span, valueSpan, quote, valueText }: SpannedClaim): OffsetFault[] {
  const faults: OffsetFault[] = []
  const isThere = ([start, end]: readonly [number, number], words: string) =>
    start >= 0 && start < end && end <= text.length && text.slice(start, end) === words
  if (!isThere(span, quote)) faults.push('quotes that are not the text at their offsets')
  if (!isThere(valueSpan, valueText)) faults.push('values that are not the text at their offsets')
  if (valueSpan[0] < span[0] || valueSpan[1] > span[1]) faults.push('values outside their quote')
  if ([...span, ...valueSpan].some((at) => isInside(text, at)))
    faults.push('offsets that cut a character in two')
  return faults
}

/** Between the two halves of one character. */
function isInside(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff
}

/** Has quotes as the API gives them: offsets in code points. */
export interface ListedQuote {
  readonly quote: string
  readonly start: number
  readonly end: number
}

/** `characters` are the code points of the text: taken apart once, since a text may have thousands of quotes. */
export function isAtItsPlace(characters: readonly string[], { quote, start, end }: ListedQuote): boolean {
  return start < end && end <= characters.length && characters.slice(start, end).join('') === quote
}
