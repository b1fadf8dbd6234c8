/**
 * Contradictions inside one document: selects the facts that may disagree, makes the request about them, and parses its
 * answer. Most documents have no such facts, and need no request.
 */
import type { LocatedClaim, Modality, StatedModality, Value } from '../domain/claim.ts'
import type { ModelRequest } from '../domain/model.ts'
import { listIn, parseAnswer, shareIn, toRecord } from './answer-fields.ts'
import { describeFact } from './compare.ts'
import type { ComparedDocument, ComparedFact } from './compare.ts'
import { compareWithinPrompt } from './prompts/compare-within.ts'
import { listOf, record, share, text } from './schemas.ts'
import { haveSameValue } from './typed-values.ts'
import { spelledWords } from './words.ts'

/** The maximum of claims in a request, and of pairs in its answer. */
const most = { claims: 40, pairs: 20 } as const

/** Two facts of one document are alike if this share of the words of both subjects is the same, and of both attributes. */
const alikeFrom = 0.5

interface OwnFact {
  readonly claim: LocatedClaim
}

/**
 * The facts that may disagree with one another, those that are most alike first, in the order in which they are given. `isAsked` says which of
 * two are a pair of this request.
 */
export function chooseOwnFacts<Each extends OwnFact>(
  facts: readonly Each[],
  isAsked: (one: Each, other: Each) => boolean,
): Each[] {
  const seen = facts.map((fact) => ({ fact, ...describe(fact.claim) }))
  const pairs: { readonly likeness: number; readonly facts: readonly Each[] }[] = []
  for (const [at, other] of seen.entries())
    for (let before = 0; before < at; before += 1) {
      const one = seen[before]
      const likeness = one && isAsked(one.fact, other.fact) ? likenessOf(one, other) : 0
      if (one && likeness > 0) pairs.push({ likeness, facts: [one.fact, other.fact] })
    }
  const chosen = new Set<Each>()
  for (const pair of pairs.toSorted((a, b) => b.likeness - a.likeness)) {
    const more = pair.facts.filter((fact) => !chosen.has(fact))
    if (chosen.size + more.length <= most.claims) for (const fact of more) chosen.add(fact)
  }
  return facts.filter((fact) => chosen.has(fact))
}

interface DescribedFact {
  readonly claim: LocatedClaim
  readonly subject: ReadonlySet<string>
  readonly attribute: ReadonlySet<string>
  /** Names and numbers in both. */
  readonly specific: ReadonlySet<string>
  readonly type: Value['type'] | LocatedClaim['kind']
  /** Null where what is stated so is nobody's statement of what holds. */
  readonly modality: Modality | null
}

const notAsserted: ReadonlySet<StatedModality> = new Set(['condition', 'allegation', 'historical'])

function describe(claim: LocatedClaim): DescribedFact {
  const { subject, attribute, value, kind, stated, modality } = claim
  // The first word of a sentence has a capital letter, whatever it is.
  const specific = spelledWords(`of ${subject.text} ${attribute.text}`).filter((word) => word.isSpecific)
  return {
    claim,
    subject: new Set(subject.words),
    attribute: new Set(attribute.words),
    specific: new Set(specific.map(({ stem }) => stem)),
    type: value.type === 'number' ? kind : value.type === 'date' ? 'date' : 'name',
    modality: stated && notAsserted.has(stated.modality) ? null : modality,
  }
}

/** 0 where two facts cannot disagree: other values are what is asked about, and all else has to be the same. */
function likenessOf(a: DescribedFact, b: DescribedFact): number {
  if (a.type !== b.type || a.modality === null || a.modality !== b.modality) return 0
  const attribute = shareOf(a.attribute, b.attribute)
  const subject = attribute < alikeFrom ? 0 : shareOf(a.subject, b.subject)
  if (subject < alikeFrom) return 0
  if (hasMore(a.specific, b.specific) && hasMore(b.specific, a.specific)) return 0
  return areApart(a.claim, b.claim) || haveOneValue(a.claim, b.claim) ? 0 : subject + attribute
}

/** The share of the words of both together that both have. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  return shared / Math.max(1, a.size + b.size - shared)
}

function hasMore(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const word of a) if (!b.has(word)) return true
  return false
}

/** They hold for periods without a common day. */
function areApart({ period: a }: LocatedClaim, { period: b }: LocatedClaim): boolean {
  return a !== null && b !== null && (a[1] < b[0] || b[1] < a[0])
}

function haveOneValue(a: LocatedClaim, b: LocatedClaim): boolean {
  return haveSameValue(a, b) || (a.stated !== undefined && a.stated.value === b.stated?.value)
}

const schema = record({ pairs: listOf(record({ a: text, b: text, why: text, confidence: share })) })

export function withinRequest({ title, date, facts }: ComparedDocument): ModelRequest {
  return {
    step: 'compare',
    promptVersion: compareWithinPrompt.version,
    system: compareWithinPrompt.text,
    user: JSON.stringify({
      title,
      date,
      claims: facts.map(({ claim }, index) => `C${index + 1} ${describeFact(claim)}`),
    }),
    schemaName: `concord_compare_within_v${compareWithinPrompt.version}`,
    schema,
    maxOutputTokens: 4_000,
  }
}

/** Whether a request is about facts of one document alone. */
export function isWithinRequest({ schemaName }: Pick<ModelRequest, 'schemaName'>): boolean {
  return schemaName.includes('_within_')
}

export interface OwnProposal {
  /** Ids of two facts. */
  readonly a: string
  readonly b: string
  readonly confidence: number
}

export interface OwnProposals {
  /** The most confident first, each pair once. */
  readonly proposals: readonly OwnProposal[]
  /** Items that were left out, as in a comparison of documents. */
  readonly dropped: number
}

/** Returns null if the answer does not match the schema. */
export function readOwnProposals(
  content: string,
  { facts }: Pick<ComparedDocument, 'facts'>,
): OwnProposals | null {
  const answer = parseAnswer(content)
  const items = answer === null ? null : listIn(answer, 'pairs')
  if (items === null) return null
  const found = items.map((item) => readItem(item, facts)).filter((each) => each !== null)
  const unique = new Map<string, OwnProposal>()
  for (const each of found.toSorted((x, y) => y.confidence - x.confidence)) {
    const key = JSON.stringify([each.a, each.b].toSorted())
    if (unique.size < most.pairs && !unique.has(key)) unique.set(key, each)
  }
  return { proposals: [...unique.values()], dropped: items.length - unique.size }
}

function readItem(item: unknown, facts: readonly ComparedFact[]): OwnProposal | null {
  const fields = toRecord(item)
  if (fields === null) return null
  const [a, b] = [factOf(fields.get('a'), facts), factOf(fields.get('b'), facts)]
  const confidence = shareIn(fields, 'confidence')
  if (a === null || b === null || confidence === null) return null
  if (a.id === b.id || haveSameValue(a.claim, b.claim)) return null
  return { a: a.id, b: b.id, confidence }
}

function factOf(number: unknown, facts: readonly ComparedFact[]): ComparedFact | null {
  if (typeof number !== 'string' || !/^C[1-9]\d{0,5}$/.test(number)) return null
  return facts[Number(number.slice(1)) - 1] ?? null
}
