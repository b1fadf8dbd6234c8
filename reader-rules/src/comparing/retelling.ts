/** Sentences that are told twice: nearly the same words, and no sign that they speak of another one or another year. */
import type { Prepared } from './prepared.ts'

const fewestShared = 5
const maxOfShorter = 0.75
const halfOfLonger = 0.5

/** Nearly the same words beside the value: one sentence told twice, however its grammar was read. */
export function isRetold(a: Prepared, b: Prepared): boolean {
  const shorter = Math.min(a.bag.length, b.bag.length)
  const longer = Math.max(a.bag.length, b.bag.length)
  if (shorter < fewestShared || shorter < longer * halfOfLonger) return false
  const shared = sharedSorted(a.bag, b.bag)
  return shared >= fewestShared && shared >= shorter * maxOfShorter && shared >= longer * halfOfLonger
}

function sharedSorted(a: readonly string[], b: readonly string[]): number {
  let [at, next, count] = [0, 0, 0]
  while (at < a.length && next < b.length) {
    const [x, y] = [a[at] ?? '', b[next] ?? '']
    if (x === y) count += 1
    if (x <= y) at += 1
    if (y <= x) next += 1
  }
  return count
}

/** Told again of another: each sentence has a name, or a year, that the other does not. */
export function isOfAnother(a: Prepared, b: Prepared): boolean {
  const [x, y] = [a.claim.quote, b.claim.quote]
  return differ(names, x, y) || differ(years, withoutValue(a), withoutValue(b))
}

const names = /(?<=\p{L}[,;]? )\p{Lu}[\p{L}-]{2,}/gu
const years = /\b(?:19|20)\d\d\b/gu

function withoutValue({ claim: { quote, valueText } }: Prepared): string {
  return valueText === '' ? quote : quote.replace(valueText, '')
}

function differ(pattern: RegExp, x: string, y: string): boolean {
  return hasOwn(pattern, x, y) && hasOwn(pattern, y, x)
}

function hasOwn(pattern: RegExp, from: string, against: string): boolean {
  const low = against.toLowerCase()
  return (from.match(pattern) ?? []).some((word) => !low.includes(word.toLowerCase()))
}
