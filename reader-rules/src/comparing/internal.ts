/**
 * Whether two claims of one document may contradict each other. A document says much about one thing that differs rightly: rows of a
 * table, items of a list, forecasts beside actual figures, parts beside a whole. So both claims must be whole sentences that say of
 * what, in the same words, and for the same time.
 */
import type { Claim } from '@concord/reading/src/claim.ts'
import type { Prepared } from './prepared.ts'

/** Asked before they are judged: it is cheaper, and most pairs fail it. */
export function mayMeetInside(a: Prepared, b: Prepared): boolean {
  const [x, y] = [a.claim, b.claim]
  return (
    x.kind === y.kind &&
    a.head === b.head &&
    isSameSubject(a, b) &&
    isSameTime(x, y) &&
    areFactsOfOneDay(x, y) &&
    areApart(x, y) &&
    isSameSet(a.words, b.words) &&
    isSameSet(x.qualifiers, y.qualifiers) &&
    isProse(x) &&
    isProse(y) &&
    !isNumberedApart(x, y)
  )
}

/** Where neither sentence names a subject, at least the time must tell what is meant. */
function isSameSubject(a: Prepared, b: Prepared): boolean {
  if (a.subjectFrom !== b.subjectFrom || !isSameSet(a.subject, b.subject)) return false
  return a.subjectFrom === 'named' || a.claim.period !== null
}

function isSameTime({ period: x }: Claim, { period: y }: Claim): boolean {
  return x === null || y === null ? x === y : x[0] === y[0] && x[1] === y[1]
}

/** Messages of one thread have a day each. */
function areFactsOfOneDay(x: Claim, y: Claim): boolean {
  return x.modality === 'actual' && y.modality === 'actual' && x.assertedAt === y.assertedAt
}

/** Two figures of one sentence are two measures, or one before and one after. */
function areApart(x: Claim, y: Claim): boolean {
  return x.span[1] <= y.span[0] || y.span[1] <= x.span[0]
}

const sentence = /^\p{Lu}.*[.!?]["”’)]?$/su
const laidOut = /\||\t|\S {3}|^[^.]{0,60}:\s/u

/** A whole sentence. What a row, a field or an item of a list is about may stand anywhere around it. */
function isProse({ quote, subject }: Claim): boolean {
  return subject.from !== 'row' && sentence.test(quote) && !laidOut.test(quote)
}

/** "Engine 1 used 0.2 litres", "engine 2 used 0.4 litres". */
function isNumberedApart(x: Claim, y: Claim): boolean {
  const numbers = numbersIn(y)
  return [...numbersIn(x)].some(([word, number]) => (numbers.get(word) ?? number) !== number)
}

/** Short numbers and single capitals by the word before them, but for the value. */
function numbersIn({ quote, span, valueSpan }: Claim): Map<string, string> {
  const [from, to] = [valueSpan[0] - span[0], valueSpan[1] - span[0]]
  const beside = `${quote.slice(0, from)}; ${quote.slice(to)}`
  const numbers = new Map<string, string>()
  for (const [, word = '', number = ''] of beside.matchAll(/(\p{L}+)[ -](\d{1,3}|\p{Lu})(?![\p{L}\d.,%])/gu))
    numbers.set(word.toLowerCase(), number)
  return numbers
}

function isSameSet(x: readonly string[], y: readonly string[]): boolean {
  return x.length === y.length && x.every((word) => y.includes(word))
}
