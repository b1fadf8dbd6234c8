/**
 * The request that asks a model which facts of a new document contradict earlier facts, and the parser of its answer.
 * Facts have numbers in the request, so no id reaches the model, and unknown numbers in an answer are rejected.
 */
import type { LocatedClaim } from '../domain/claim.ts'
import type { ModelRequest } from '../domain/model.ts'
import { lineIn, listIn, parseAnswer, shareIn, toRecord, wordIn } from './answer-fields.ts'
import { statementOf } from './facts.ts'
import { comparePrompt } from './prompts/compare.ts'
import { listOf, oneOf, record, share, text } from './schemas.ts'
import { haveSameValue } from './typed-values.ts'

export interface ComparedFact {
  readonly id: string
  readonly claim: LocatedClaim
}

export interface ComparedDocument {
  readonly id: string
  readonly title: string | null
  readonly date: string | null
  readonly facts: readonly ComparedFact[]
}

export const PROPOSED_RELATIONS = ['conflict', 'restatement', 'change'] as const
export type ProposedRelation = (typeof PROPOSED_RELATIONS)[number]

export interface Proposal {
  /** Id of a fact of the new document. */
  readonly a: string
  /** Id of an earlier fact. */
  readonly b: string
  readonly relation: ProposedRelation
  readonly confidence: number
  readonly why: string
}

export interface Proposals {
  /** The most confident first, each pair once. */
  readonly proposals: readonly Proposal[]
  /** Items that were left out: malformed, of numbers that were not offered, of two equal values, or beyond the limit. */
  readonly dropped: number
}

const schema = record({
  pairs: listOf(
    record({ a: text, b: text, relation: oneOf(PROPOSED_RELATIONS), why: text, confidence: share }),
  ),
})

export function comparisonRequest(
  newDocument: ComparedDocument,
  earlier: readonly ComparedDocument[],
): ModelRequest {
  const lines = numberFacts('E', earlier)
  const [own = []] = numberFacts('N', [newDocument])
  const documents = earlier.map(({ title, date }, index) => ({ title, date, claims: lines[index] ?? [] }))
  return {
    step: 'compare',
    promptVersion: comparePrompt.version,
    system: comparePrompt.text,
    user: JSON.stringify({
      new: { title: newDocument.title, date: newDocument.date, claims: own },
      earlier: documents,
    }),
    schemaName: `concord_compare_v${comparePrompt.version}`,
    schema,
    maxOutputTokens: 8_000,
  }
}

/** One line a fact, by document; the numbers run through all of them. */
function numberFacts(letter: string, documents: readonly ComparedDocument[]): string[][] {
  let number = 0
  return documents.map(({ facts }) =>
    facts.map(({ claim }) => {
      number += 1
      return `${letter}${number} ${describeFact(claim)}`
    }),
  )
}

/** `fact [FY2025] Revenue of the Group was EUR 41.8m in FY2025.` */
export function describeFact(claim: LocatedClaim): string {
  const { modality, period } = claim.stated ?? { modality: claim.modality, period: null }
  return `${modality}${period === null ? '' : ` [${period}]`} ${statementOf(claim)}`
}

const maxPairs = { atLeast: 20, perFact: 2 } as const

/** Returns null if the answer does not match the schema. */
export function readProposals(
  content: string,
  newDocument: ComparedDocument,
  earlier: readonly ComparedDocument[],
): Proposals | null {
  const answer = parseAnswer(content)
  const items = answer === null ? null : listIn(answer, 'pairs')
  if (items === null) return null
  const offered = { N: newDocument.facts, E: earlier.flatMap(({ facts }) => facts) }
  const found = items.map((item) => readItem(item, offered)).filter((each) => each !== null)
  const limit = Math.max(maxPairs.atLeast, maxPairs.perFact * newDocument.facts.length)
  const unique = new Map<string, Proposal>()
  for (const each of found.toSorted((a, b) => b.confidence - a.confidence)) {
    const key = JSON.stringify([each.a, each.b])
    if (unique.size < limit && !unique.has(key)) unique.set(key, each)
  }
  return { proposals: [...unique.values()], dropped: items.length - unique.size }
}

interface OfferedFacts {
  readonly N: readonly ComparedFact[]
  readonly E: readonly ComparedFact[]
}

function readItem(item: unknown, offered: OfferedFacts): Proposal | null {
  const fields = toRecord(item)
  if (fields === null) return null
  const [a, b] = [factOf(fields.get('a'), 'N', offered), factOf(fields.get('b'), 'E', offered)]
  const relation = wordIn(fields, 'relation', PROPOSED_RELATIONS)
  const confidence = shareIn(fields, 'confidence')
  if (a === null || b === null || relation === null || confidence === null) return null
  if (a.id === b.id || haveSameValue(a.claim, b.claim)) return null
  return { a: a.id, b: b.id, relation, confidence, why: lineIn(fields, 'why', 1000) ?? '' }
}

function factOf(number: unknown, letter: 'N' | 'E', offered: OfferedFacts): ComparedFact | null {
  if (typeof number !== 'string' || !/^[NE][1-9]\d{0,5}$/.test(number)) return null
  return number.startsWith(letter) ? (offered[letter][Number(number.slice(1)) - 1] ?? null) : null
}
