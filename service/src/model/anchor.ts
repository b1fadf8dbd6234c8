/**
 * Finds the quotes of a model in their text. The search is exact first, then ignores white space, and then also case,
 * the forms of quotation marks and dashes, and the marks of emphasis and tables. A quote that is not found is rejected.
 * The stored words are always those of the text, not those of the model.
 */
import type { Span } from '@concord/reading/src/format.ts'

/** Searches one window. `near` is the position of the previous claim: of several matches the next one is chosen. */
export type FindQuote = (quote: string, near: number) => Span | null

/** The significant letters of a text, and their positions. */
interface Folded {
  readonly letters: string
  readonly offsets: readonly number[]
}

type Fold = (letter: string) => string

const withoutSpace: Fold = (letter) => (/\s/u.test(letter) ? '' : letter)

const sameSign: ReadonlyMap<string, string> = new Map([
  ...Array.from('“”„«»‟″', (sign) => [sign, '"'] as const),
  ...Array.from('‘’‚‛′`´', (sign) => [sign, "'"] as const),
  ...Array.from('‐‑‒–—―−', (sign) => [sign, '-'] as const),
  ...Array.from('*_|>#\u00ad\u200b\u200c\u200d\ufeff', (sign) => [sign, ''] as const),
])

const withoutCase: Fold = (letter) => sameSign.get(letter) ?? withoutSpace(letter).toLowerCase()

export function createQuoteSearch(text: string, [start, end]: Span): FindQuote {
  const part = text.slice(start, end)
  const folds = [withoutSpace, withoutCase].map((fold) => ({
    fold,
    folded: lazily(() => foldText(part, fold)),
  }))
  return (quote, near) => {
    const bare = quote.trim()
    if (bare === '') return null
    const exact = findNext(part, bare, near - start)
    if (exact !== -1) return [start + exact, start + exact + bare.length]
    for (const { fold, folded } of folds) {
      const found = findFolded(folded(), foldText(bare, fold).letters, near - start)
      if (found !== null) return [start + found[0], start + found[1]]
    }
    return null
  }
}

/** Nearly all quotes match exactly. */
function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => (made ??= { value: make() }).value
}

function foldText(text: string, fold: Fold): Folded {
  const offsets: number[] = []
  let letters = ''
  for (let at = 0; at < text.length; at += 1) {
    const folded = fold(text.charAt(at))
    letters += folded
    for (let count = 0; count < folded.length; count += 1) offsets.push(at)
  }
  return { letters, offsets }
}

function findFolded({ letters, offsets }: Folded, wanted: string, near: number): Span | null {
  if (wanted === '') return null
  const found = findNext(letters, wanted, countBefore(offsets, near))
  if (found === -1) return null
  const [first, last] = [offsets[found], offsets[found + wanted.length - 1]]
  return first === undefined || last === undefined ? null : [first, last + 1]
}

function countBefore(offsets: readonly number[], limit: number): number {
  let [low, high] = [0, offsets.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the first match from `near` on, because claims come in the order of the text; only if there is none, the last one before. */
function findNext(text: string, wanted: string, near: number): number {
  const after = text.indexOf(wanted, Math.max(0, near))
  return after === -1 && near > 0 ? text.lastIndexOf(wanted, near - 1) : after
}
