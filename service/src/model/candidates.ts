/**
 * Which earlier facts a new one is compared with where a scope is beyond the budget: the best by the words they share, rare words first. The
 * database ranks them (`rank_candidates`); this is the same rule, for measuring it without a database, where each position is a document.
 */

export interface RankedFact {
  readonly key: bigint
  /** The position of the document that stated it first. */
  readonly position: number
  /** Its words, the most specific first. */
  readonly words: readonly string[]
}

export interface CandidateIndex<Fact extends RankedFact> {
  /** The best of lower positions, at most `limit`, the best first. */
  find(fact: Fact, limit: number): Fact[]
}

/**
 * The limits of `StepLimits`: words looked up for a fact, newest facts read for each word, facts scored, and the best of
 * them that are compared.
 */
export const CANDIDATE_LIMITS = { wordsOfFact: 12, factsOfWord: 64, scored: 40, best: 20 } as const

interface SharedWord {
  readonly word: string
  readonly weight: number
  /** Few enough facts have it that all of them are read. */
  readonly isWhole: boolean
}

/** `facts` are all of the scope, those that candidates are wanted for among them. */
export function createCandidateIndex<Fact extends RankedFact>(facts: readonly Fact[]): CandidateIndex<Fact> {
  const holders = new Map<string, Fact[]>()
  for (const fact of facts.toSorted(newestFirst))
    for (const word of fact.words) {
      const known = holders.get(word)
      if (known) known.push(fact)
      else holders.set(word, [fact])
    }
  // Whole numbers, so that equal sums are equal in whatever order they are added up.
  const weightOf = (count: number) => Math.round(Math.log(1 + facts.length / count) * 1_000_000)

  function sharedWords({ words }: Fact): SharedWord[] {
    return words
      .map((word, nth) => ({ word, nth, count: holders.get(word)?.length ?? 0 }))
      .filter(({ count }) => count > 1)
      .toSorted((a, b) => a.count - b.count || a.nth - b.nth)
      .map(({ word, count }) => ({
        word,
        weight: weightOf(count),
        isWhole: count <= CANDIDATE_LIMITS.factsOfWord,
      }))
  }

  function findNear(shared: readonly SharedWord[], { position }: Fact): Fact[] {
    const found = new Map<Fact, { whole: number; all: number }>()
    for (const { word, weight, isWhole } of shared.slice(0, CANDIDATE_LIMITS.wordsOfFact)) {
      const earlier = (holders.get(word) ?? []).filter((other) => other.position < position)
      for (const other of earlier.slice(0, CANDIDATE_LIMITS.factsOfWord)) {
        const sum = found.get(other) ?? { whole: 0, all: 0 }
        found.set(other, { whole: sum.whole + (isWhole ? weight : 0), all: sum.all + weight })
      }
    }
    return [...found]
      .toSorted(([x, a], [y, b]) => b.whole - a.whole || b.all - a.all || byKey(x, y))
      .slice(0, CANDIDATE_LIMITS.scored)
      .map(([fact]) => fact)
  }

  return {
    find(fact, limit) {
      const shared = sharedWords(fact)
      const scored = findNear(shared, fact).map((other) => {
        const words = new Set(other.words)
        const score = shared.reduce((sum, { word, weight }) => sum + (words.has(word) ? weight : 0), 0)
        return { other, score }
      })
      return scored
        .toSorted((a, b) => b.score - a.score || byKey(a.other, b.other))
        .slice(0, limit)
        .map(({ other }) => other)
    },
  }
}

function byKey(a: RankedFact, b: RankedFact): number {
  return a.key < b.key ? -1 : 1
}

function newestFirst(a: RankedFact, b: RankedFact): number {
  return b.position - a.position || byKey(b, a)
}
