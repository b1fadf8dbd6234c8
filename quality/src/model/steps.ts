/**
 * The comparison steps of a document, as the service makes them: up to 100 new facts each, with the facts of earlier documents.
 * These are all of them while the statements of the scope fit the budget, else the best candidates by words.
 */
import { createCandidateIndex } from '@concord/service/src/model/candidates.ts'
import { tokensOf } from '@concord/service/src/model/facts.ts'
import type { OpenedFact, OpenedStep } from '@concord/service/src/model/step.ts'
import { titleOf } from './scope-facts.ts'
import type { Fact } from './scope-facts.ts'

export interface PlannedStep {
  readonly step: OpenedStep
  readonly factOf: (fact: OpenedFact) => Fact
}

export interface ComparedFacts {
  /** Facts that the document is the first to state. */
  readonly fresh: readonly Fact[]
  /** Facts that it states as well, by its own claims. */
  readonly restated: readonly Fact[]
  /** Facts of earlier documents. */
  readonly earlier: readonly Fact[]
}

const factsPerStep = 100
const candidatesPerFact = 20

export function planSteps(facts: ComparedFacts, budget: number): PlannedStep[] {
  const { fresh, restated, earlier } = facts
  const count = Math.ceil(fresh.length / factsPerStep)
  return Array.from({ length: count }, (_, nth) => {
    const [from, to] = [nth * factsPerStep, (nth + 1) * factsPerStep]
    const asked = fresh.slice(from, to)
    const rest = [...fresh.slice(0, from), ...fresh.slice(to)]
    const chosen = chooseEarlier(asked, facts, budget)
    const shown = new Map([...restated, ...rest, ...chosen, ...asked].map((fact) => [fact.key, fact]))
    return {
      step: {
        fresh: asked.map(toOpened),
        own: [
          ...restated.map((fact) => ({ ...toOpened(fact), isEarlier: true })),
          ...rest.map((fact) => ({ ...toOpened(fact), isEarlier: false })),
        ],
        earlier: chosen.map(toOpened),
        titles: new Map([...earlier, ...fresh].map(({ document }) => [document.id, titleOf(document)])),
      },
      factOf: ({ key }) => {
        const fact = shown.get(key)
        if (fact === undefined) throw new Error(`no such fact: ${key}`)
        return fact
      },
    }
  })
}

function toOpened({ key, no, document, claim }: Fact): OpenedFact {
  return { key, documentId: document.id, no, version: 1, claim }
}

function chooseEarlier(
  asked: readonly Fact[],
  { fresh, earlier }: ComparedFacts,
  budget: number,
): readonly Fact[] {
  if (sumTokens([...earlier, ...fresh]) <= budget) return earlier
  const index = createCandidateIndex([...earlier, ...fresh])
  const best = new Map<Fact, number>()
  for (const fact of asked)
    for (const [place, other] of index.find(fact, candidatesPerFact).entries())
      best.set(other, Math.min(place, best.get(other) ?? place))
  const ranked = [...best].toSorted(([x, a], [y, b]) => a - b || (x.key < y.key ? -1 : 1))
  let spent = 0
  return ranked.flatMap(([fact]) => {
    spent += tokensOf(fact.claim)
    return spent <= budget ? [fact] : []
  })
}

function sumTokens(facts: readonly Fact[]): number {
  return facts.reduce((sum, { claim }) => sum + tokensOf(claim), 0)
}
