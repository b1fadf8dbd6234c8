/** The facts of a scope in the order of its documents, each at the place where it was first stated. */
import type { LocatedClaim } from '@concord/service/src/domain/claim.ts'
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
  /** The same for all that state it. */
  readonly key: bigint
  /** The number of the document in the scope that stated it first. */
  readonly position: number
  readonly document: ReadDocument
  /** The number of the claim in its document. */
  readonly no: number
  readonly claim: LocatedClaim
  readonly words: readonly string[]
}

export type ScopeDocument = ScopeText['documents'][number]

export interface LabelledDocumentFacts {
  /** Facts that no earlier document states. */
  readonly fresh: readonly Fact[]
  /** Facts that an earlier document states, by claims of this one. */
  readonly restated: readonly Fact[]
}

export function listFacts(documents: readonly ReadDocument[]): LabelledDocumentFacts[] {
  const known = new Map<string, Fact>()
  return documents.map((document, position) => {
    const stated = new Map<string, Fact>()
    for (const [no, claim] of document.reading.claims.entries()) {
      const name = factKeyOf(claim, document.id)
      const id = `${document.id}#${no + 1}`
      const first = known.get(name) ?? { key: BigInt(known.size + stated.size), position }
      if (!stated.has(name)) stated.set(name, { ...first, id, document, no, claim, words: wordsOf(claim) })
    }
    const facts = [...stated]
    for (const [name, fact] of facts) if (!known.has(name)) known.set(name, fact)
    return {
      fresh: facts.flatMap(([, fact]) => (fact.position === position ? [fact] : [])),
      restated: facts.flatMap(([, fact]) => (fact.position === position ? [] : [fact])),
    }
  })
}

export function titleOf({ plan, name }: ReadDocument): string {
  return plan.title ?? name
}
