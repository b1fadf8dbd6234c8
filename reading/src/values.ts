/**
 * The values a sentence or a cell states: money, shares, counts, measures, ratios, dates, durations, versions. One pass,
 * in proportion to the text. What is no value (a section, a list mark, a time of day, the name of a thing) is left out.
 */
import type { ClaimKind, Value } from './claim.ts'
import { ValueLine, type Hints } from './values/line.ts'
import { scan } from './values/scan.ts'

export { sameNumber } from './values/sameness.ts'
export type { Hints } from './values/line.ts'

export interface FoundValue {
  readonly kind: ClaimKind
  /** For a count the unit is empty: the noun is the caller's to find behind it. */
  readonly value: Value
  /** Exact words of the value in the text, without those that bound it. */
  readonly span: readonly [start: number, end: number]
  /** Below 1 where it could be read in another way, such as day and month exchanged. */
  readonly confidence: number
}

/** All values in `text[start, end)`, in order, not overlapping. */
export function findValues(text: string, start: number, end: number, hints: Hints = {}): FoundValue[] {
  return scan(new ValueLine(text, start, end, hints)).map(({ kind, value, span, sure }) => ({
    kind,
    value,
    span,
    confidence: sure ? 1 : 0.6,
  }))
}
