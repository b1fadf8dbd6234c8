/** Pairs of quotes that look like contradictions and are none: shown where they were not reported. */
import type { Contradiction, ContradictionSide } from '@concord/client'
import { shorten } from '../../terminal/columns.ts'
import { oneLine } from '../../terminal/words.ts'
import type { DocumentQuote, LookAlike } from './cases.ts'

export function describeLookAlikes(
  pairs: readonly LookAlike[],
  found: readonly Contradiction[],
  width: number,
): string[] {
  const quiet = pairs.filter((pair) => !found.some((each) => isAbout(each, pair)))
  if (quiet.length === 0) return []
  return [
    'Looks like a contradiction, is none, and was not reported:',
    ...quiet.flatMap((pair) => describePair(pair, width)),
    '',
  ]
}

function describePair({ a, b, why }: LookAlike, width: number): string[] {
  const sides = [a, b].map(({ document, quote }) => shorten(`    ${document}: ${quote}`, width))
  return [`  ${why}`, ...sides]
}

function isAbout({ a, b }: Contradiction, pair: LookAlike): boolean {
  return (states(a, pair.a) && states(b, pair.b)) || (states(a, pair.b) && states(b, pair.a))
}

function states({ source, quote }: ContradictionSide, wanted: DocumentQuote): boolean {
  const [one, other] = [oneLine(quote), oneLine(wanted.quote)]
  return source === wanted.document && (one.includes(other) || other.includes(one))
}
