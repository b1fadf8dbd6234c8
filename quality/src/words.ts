/** Loose comparison of quotes, for sets whose labels are strings and not places. */

/** Case, white space and table lines aside. */
export const plain = (text: string) =>
  text
    .replaceAll(/[\s|]+/g, ' ')
    .trim()
    .toLowerCase()

/** The share of the shorter one's words that both have. */
export function likeness(x: string, y: string): number {
  const [a, b] = [wordsOf(x), wordsOf(y)]
  const shared = [...a].filter((word) => b.has(word)).length
  const least = Math.min(a.size, b.size)
  return least === 0 ? 0 : shared / least
}

const wordsOf = (text: string) => new Set(plain(text).match(/[\p{L}\p{N}.,%€$£]*[\p{L}\p{N}%]/gu))

/** Finds words in a text, whatever white space and capitals they are written with there. */
export function placesOfWords(
  text: string,
  words: string,
): readonly (readonly [start: number, end: number])[] {
  const pattern = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`))
    .join(String.raw`\s+`)
  return [...text.matchAll(new RegExp(pattern, 'gi'))].map((found) => [
    found.index,
    found.index + found[0].length,
  ])
}
