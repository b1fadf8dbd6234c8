/** The unit that the head of a table gives to the bare numbers below it: "in EUR million", "€k", "%". */
import type { Hints } from '@concord/reading/src/values.ts'

const currencies = new Map<string, string>(
  '€ EUR|£ GBP|$ USD|eur EUR|euro EUR|euros EUR|gbp GBP|usd USD|chf CHF|nok NOK|sek SEK|dkk DKK|jpy JPY|pln PLN|czk CZK|aud AUD|cad CAD'
    .split('|')
    .map((pair) => [pair.slice(0, -4), pair.slice(-3)] as const),
)

const scaled =
  /(€|£|\$|\b(?:eur|gbp|usd|chf|nok|sek|dkk|jpy|pln|czk|aud|cad|euros?)\b)\s*('?000s?\b|k\b|m\b|mn\b|bn\b|million|thousand|billion)?/i
const worded = /\bin\s+(thousands?|millions?|billions?)\b/i
const percent = /%|\bper\s?cent\b/i

export function hintsIn(text: string): Hints {
  const money = scaled.exec(text)
  const currency = money === null ? undefined : currencies.get((money[1] ?? '').toLowerCase())
  const scale = scaleOf(money?.[2] ?? worded.exec(text)?.[1] ?? '')
  const unit = percent.test(text) && currency === undefined ? '%' : undefined
  return {
    ...(currency === undefined ? {} : { currency }),
    ...(scale === 1 ? {} : { scale }),
    ...(unit === undefined ? {} : { unit }),
  }
}

function scaleOf(word: string): number {
  const low = word.toLowerCase()
  if (low.startsWith('k') || low.startsWith('thousand') || low.includes('000')) return 1e3
  if (low.startsWith('b')) return 1e9
  return low.startsWith('m') ? 1e6 : 1
}

export function isCurrency(low: string): boolean {
  return currencies.has(low)
}
