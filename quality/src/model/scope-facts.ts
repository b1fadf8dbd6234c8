/** The facts of a scope in the order of its documents, each at the place where it was first stated. */
import type { Claim } from '@concord/service/src/domain/claim.ts'
import type { ComparedDocument } from '@concord/service/src/model/compare.ts'
import { factKeyOf, wordsOf } from '@concord/service/src/model/facts.ts'
import type { ModelReading, ReadingPlan } from '@concord/service/src/model/reading.ts'
import type { ScopeText } from '../report.ts'

export interface ReadDocument {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly plan: ReadingPlan
  readonly reading: ModelReading
}

export interface Fact {
  readonly id: string
  /** The number of its document in the scope. */
  readonly position: number
  readonly document: ReadDocument
  readonly claim: Claim
  readonly words: readonly string[]
}

export type ScopeDocument = ScopeText['documents'][number]

/** The facts of each document that no earlier document states. */
export function listFacts(documents: readonly ReadDocument[]): Fact[][] {
  const known = new Set<string>()
  return documents.map((document, position) =>
    document.reading.claims.flatMap((claim, no) => {
      const key = factKeyOf(claim)
      if (known.has(key)) return []
      known.add(key)
      return [{ id: `${document.id}#${no + 1}`, position, document, claim, words: wordsOf(claim) }]
    }),
  )
}

/** Facts as the comparison shows them: by document, in order. */
export function groupFacts(facts: readonly Fact[]): ComparedDocument[] {
  const groups = Map.groupBy(facts, ({ document }) => document)
  return [...groups].map(([document, own]) => toCompared(document, own))
}

export function toCompared(document: ReadDocument, facts: readonly Fact[]): ComparedDocument {
  return {
    id: document.id,
    title: titleOf(document),
    date: document.plan.date,
    facts: facts.map(({ id, claim }) => ({ id, claim })),
  }
}

export function titleOf({ plan, name }: ReadDocument): string {
  return plan.title ?? name
}
