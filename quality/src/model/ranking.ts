/** Ranks statements by the words they share with another one (BM25): which of many could be about the same thing. */

export interface RankedIndex<Id> {
  add(id: Id, words: readonly string[]): void
  /** The best, at most `limit`, the best first. */
  find(words: readonly string[], limit: number): readonly Id[]
}

const saturation = 1.2
const lengthWeight = 0.75

export function createRankedIndex<Id>(): RankedIndex<Id> {
  const postings = new Map<string, Id[]>()
  const lengths = new Map<Id, number>()
  let total = 0
  return {
    add(id, words) {
      lengths.set(id, words.length)
      total += words.length
      for (const word of new Set(words)) {
        const known = postings.get(word)
        if (known === undefined) postings.set(word, [id])
        else known.push(id)
      }
    },
    find(words, limit) {
      const scores = new Map<Id, number>()
      const mean = total / Math.max(1, lengths.size)
      for (const word of new Set(words)) {
        const holders = postings.get(word) ?? []
        const rarity = Math.log(1 + (lengths.size - holders.length + 0.5) / (holders.length + 0.5))
        for (const id of holders) {
          const length = 1 - lengthWeight + (lengthWeight * (lengths.get(id) ?? 0)) / mean
          const weight = (rarity * (saturation + 1)) / (1 + saturation * length)
          scores.set(id, (scores.get(id) ?? 0) + weight)
        }
      }
      const ranked = [...scores].toSorted(([, a], [, b]) => b - a)
      return ranked.slice(0, limit).map(([id]) => id)
    },
  }
}
