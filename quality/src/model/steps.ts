/**
 * What a new document is compared with: all earlier facts while that fits the budget, else the best candidates of each new fact by their
 * words. New facts that do not fit one request are split.
 */
import { comparisonRequest } from '@concord/service/src/model/compare.ts'
import type { ComparedDocument } from '@concord/service/src/model/compare.ts'
import type { ModelRequest } from '@concord/service/src/domain/model.ts'
import { createRankedIndex } from './ranking.ts'
import type { RankedIndex } from './ranking.ts'
import { groupFacts, toCompared } from './scope-facts.ts'
import type { Fact, ReadDocument } from './scope-facts.ts'

export interface Comparison {
  readonly request: ModelRequest
  readonly newDocument: ComparedDocument
  readonly earlier: readonly ComparedDocument[]
}

const candidatesPerFact = 20
/** More new facts make further requests. */
const factsPerRequest = 100
const charactersPerToken = 4

export function planComparisons(
  document: ReadDocument,
  fresh: readonly Fact[],
  earlier: readonly Fact[],
  maxTokens: number,
): Comparison[] {
  if (fresh.length === 0 || earlier.length === 0) return []
  const index = lazily(() => indexFacts(earlier))
  const plan = (facts: readonly Fact[]): Comparison[] => {
    if (facts.length > factsPerRequest) return halve(facts).flatMap(plan)
    const whole = toComparison(document, facts, earlier)
    if (countTokens(whole.request) <= maxTokens) return [whole]
    const chosen = new Set(facts.flatMap(({ words }) => index().find(words, candidatesPerFact)))
    const best = toComparison(
      document,
      facts,
      earlier.filter((fact) => chosen.has(fact)),
    )
    return countTokens(best.request) <= maxTokens || facts.length === 1 ? [best] : halve(facts).flatMap(plan)
  }
  return plan(fresh)
}

function halve<Each>(list: readonly Each[]): (readonly Each[])[] {
  const middle = Math.ceil(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)]
}

function toComparison(document: ReadDocument, fresh: readonly Fact[], earlier: readonly Fact[]): Comparison {
  const [newDocument, grouped] = [toCompared(document, fresh), groupFacts(earlier)]
  return { request: comparisonRequest(newDocument, grouped), newDocument, earlier: grouped }
}

function countTokens({ user }: ModelRequest): number {
  return user.length / charactersPerToken
}

function indexFacts(facts: readonly Fact[]): RankedIndex<Fact> {
  const index = createRankedIndex<Fact>()
  for (const fact of facts) index.add(fact, fact.words)
  return index
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => (made ??= { value: make() }).value
}
