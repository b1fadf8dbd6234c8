/**
 * Offsets for people outside: reading counts UTF-16 units, because that is how a text is indexed here; the contract counts
 * code points, because that is what every language can count. Done once, when the text is at hand.
 */
import type { Claim } from './claim.ts'
import type { Span } from './format.ts'

const SURROGATE = /[\ud800-\udbff]/

/** The same claims with their spans in code points. */
export function inCodePoints(text: string, claims: readonly Claim[]): readonly Claim[] {
  // Most texts have none of them, and then both ways of counting agree.
  // @point reading.offsets
  if (!SURROGATE.test(text)) return claims
  const at = codePointsAt(
    text,
    claims.flatMap(({ span, valueSpan }) => [...span, ...valueSpan]),
  )
  return claims.map((claim) => ({
    ...claim,
    span: [at(claim.span[0]), at(claim.span[1])],
    valueSpan: [at(claim.valueSpan[0]), at(claim.valueSpan[1])],
  }))
}

/** One walk over the text, however many offsets there are. */
function codePointsAt(text: string, offsets: readonly number[]): (offset: number) => number {
  const found = new Map<number, number>()
  let [walked, pairs] = [0, 0]
  for (const offset of offsets.toSorted((a, b) => a - b)) {
    for (; walked < offset; walked += 1) if (isSecondOfPair(text, walked)) pairs += 1
    found.set(offset, offset - pairs)
  }
  return (offset) => found.get(offset) ?? offset
}

export function countCharacters(text: string, [start, end]: Span): number {
  let pairs = 0
  for (let at = start; at < end; at += 1) if (isSecondOfPair(text, at)) pairs += 1
  return end - start - pairs
}

function isSecondOfPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  if (unit < 0xdc00 || unit > 0xdfff || index === 0) return false
  const before = text.charCodeAt(index - 1)
  return before >= 0xd800 && before <= 0xdbff
}
