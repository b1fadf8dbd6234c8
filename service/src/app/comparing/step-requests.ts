/**
 * Asks a language model about one comparison step: first which of its facts contradict earlier ones, then about each proposed pair
 * alone, with the text around both quotes. Nothing is written and no transaction is open meanwhile.
 */
import type { Claim } from '../../domain/claim.ts'
import { ModelFailure } from '../../domain/model.ts'
import type { ModelAnswer, ModelRequest } from '../../domain/model.ts'
import { formatDay } from '../../domain/period.ts'
import { comparisonRequest, readProposals } from '../../model/compare.ts'
import type { ComparedDocument, Proposal } from '../../model/compare.ts'
import { gatherEvidence } from '../../model/evidence.ts'
import { isReported, readVerdict, verificationRequest } from '../../model/verify.ts'
import type { PairEvidence, PairVerdict } from '../../model/verify.ts'
import { inOrder } from './shown-facts.ts'

/** A fact by the claim that was sent to the model. */
export interface OpenedFact {
  readonly key: bigint
  readonly documentId: string
  /** The number of the claim in its document. */
  readonly no: number
  readonly version: number
  readonly claim: Claim
}

export interface OpenedStep {
  /** Of one document. */
  readonly fresh: readonly OpenedFact[]
  readonly earlier: readonly OpenedFact[]
  /** Names of documents. */
  readonly titles: ReadonlyMap<string, string>
}

export interface StepMeans {
  /** Names the documents whose content is in the request. Rejects with a `ModelFailure` where there is no answer. */
  ask(request: ModelRequest, documentIds: readonly string[]): Promise<ModelAnswer>
  /** The text of a document as it was read; undefined where it is gone. */
  textOf(place: { readonly documentId: string; readonly version: number }): Promise<string | undefined>
}

/** A pair that is worth reporting. `a` is the earlier statement. */
export interface JudgedPair {
  readonly a: OpenedFact
  readonly b: OpenedFact
  readonly verdict: PairVerdict
  /** The model and the version of its prompt. */
  readonly decidedBy: string
}

export interface StepAnswer {
  readonly pairs: readonly JudgedPair[]
  /** Facts about which the model declined to answer, or gave no answer of the form that was asked for. */
  readonly declined: readonly bigint[]
}

/** Rejects with a `ModelFailure` where the endpoint gave no answer to one of the requests, through no fault of the request. */
export async function askAboutStep(step: OpenedStep, means: StepMeans): Promise<StepAnswer> {
  const { fresh, earlier } = step
  if (fresh.length === 0 || earlier.length === 0) return { pairs: [], declined: [] }
  const { proposals, isDeclined: isIncomplete } = await propose(step, means)
  const facts = new Map([...fresh, ...earlier].map((fact) => [String(fact.key), fact]))
  const ordered = proposals.flatMap(({ a, b }) => {
    const [x, y] = [facts.get(a), facts.get(b)]
    return x && y ? [{ fresh: x, pair: inOrder(x, y) }] : []
  })
  const evidence = await gatherAll(
    ordered.flatMap(({ pair }) => pair),
    step,
    means,
  )
  const settled = await Promise.allSettled(
    ordered.map(async ({ fresh: { key }, pair }) => ({ key, ...(await verify(pair, evidence, means)) })),
  )
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  return {
    pairs: answers.flatMap(({ judged }) => judged ?? []),
    // @point comparison.declined
    declined: isIncomplete
      ? fresh.map(({ key }) => key)
      : answers.filter(({ isDeclined }) => isDeclined).map(({ key }) => key),
  }
}

interface Proposed {
  readonly proposals: readonly Proposal[]
  /** The model gave no answer about some of the documents. */
  readonly isDeclined: boolean
}

async function propose(step: OpenedStep, means: StepMeans): Promise<Proposed> {
  const [newDocument] = documentsOf(step.fresh, step.titles)
  if (!newDocument) return { proposals: [], isDeclined: false }
  const groups = separate(documentsOf(step.earlier, step.titles))
  return proposeAll(groups, (group) => proposeAmong(newDocument, group, means, MAX_HALVINGS))
}

/** A document that speaks to the model stands in a request of its own: what it asks for concerns no pair of others. */
function separate(documents: readonly ComparedDocument[]): (readonly ComparedDocument[])[] {
  // @point comparison.isolate
  const alone = new Set(documents.filter(isIsolated))
  const others = documents.filter((document) => !alone.has(document))
  return [...(others.length === 0 ? [] : [others]), ...Array.from(alone, (document) => [document])]
}

function isIsolated({ facts }: ComparedDocument): boolean {
  return facts.some(({ claim }) => claim.stated?.isolated === true)
}

/** Waits for all of them, also where one fails. */
async function proposeAll(
  groups: readonly (readonly ComparedDocument[])[],
  ask: (group: readonly ComparedDocument[]) => Promise<Proposed>,
): Promise<Proposed> {
  const settled = await Promise.allSettled(groups.map(ask))
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  return {
    proposals: answers.flatMap(({ proposals }) => proposals),
    isDeclined: answers.some(({ isDeclined }) => isDeclined),
  }
}

/** So often a request without an answer is cut in two. */
const MAX_HALVINGS = 4

/** Where the model gives no answer, each half of the documents is asked about alone, so that one of them does not spoil it for all. */
async function proposeAmong(
  newDocument: ComparedDocument,
  earlier: readonly ComparedDocument[],
  means: StepMeans,
  halvings: number,
): Promise<Proposed> {
  const request = comparisonRequest(newDocument, earlier)
  const documentIds = [newDocument.id, ...earlier.map(({ id }) => id)]
  const answer = await askTwice(
    () => means.ask(request, documentIds),
    ({ content }) => readProposals(content, newDocument, earlier),
  )
  if (answer) return { proposals: answer.read.proposals, isDeclined: false }
  if (halvings === 0 || earlier.length === 1) return { proposals: [], isDeclined: true }
  const middle = Math.ceil(earlier.length / 2)
  return proposeAll([earlier.slice(0, middle), earlier.slice(middle)], (half) =>
    proposeAmong(newDocument, half, means, halvings - 1),
  )
}

/** In the order of documents and claims, so that the same facts make the same request. */
function documentsOf(facts: readonly OpenedFact[], titles: ReadonlyMap<string, string>): ComparedDocument[] {
  const byDocument = Map.groupBy(facts, ({ documentId }) => documentId)
  return [...byDocument].toSorted(byName).map(([id, own]) => ({
    id,
    title: titles.get(id) ?? null,
    date: dateOf(own.map(({ claim }) => claim)),
    facts: own.toSorted((x, y) => x.no - y.no).map(({ key, claim }) => ({ id: String(key), claim })),
  }))
}

function byName([x]: readonly [string, unknown], [y]: readonly [string, unknown]): number {
  return x < y ? -1 : 1
}

function dateOf(claims: readonly Claim[]): string | null {
  const day = claims.find(({ assertedAt }) => assertedAt !== null)?.assertedAt ?? null
  return day === null ? null : formatDay(day)
}

/** In the order of their sides: one pair is one request. */
type Pair = readonly [OpenedFact, OpenedFact]

/** By fact. One text after the other, because each may be large. */
async function gatherAll(
  facts: readonly OpenedFact[],
  { titles }: OpenedStep,
  means: StepMeans,
): Promise<Map<bigint, PairEvidence>> {
  const gathered = new Map<bigint, PairEvidence>()
  for (const [documentId, own] of Map.groupBy(facts, (fact) => fact.documentId)) {
    const version = own[0]?.version ?? 0
    // oxlint-disable-next-line no-await-in-loop -- one text in memory at a time
    const text = await means.textOf({ documentId, version })
    const about = { title: titles.get(documentId) ?? null, date: dateOf(own.map(({ claim }) => claim)) }
    for (const { key, claim } of own) gathered.set(key, gatherEvidence(text ?? '', claim, about))
  }
  return gathered
}

interface Verified {
  readonly judged?: JudgedPair
  readonly isDeclined: boolean
}

async function verify(
  [a, b]: Pair,
  evidence: ReadonlyMap<bigint, PairEvidence>,
  means: StepMeans,
): Promise<Verified> {
  const [ofA, ofB] = [evidence.get(a.key), evidence.get(b.key)]
  if (!ofA || !ofB) return { isDeclined: false }
  const request = verificationRequest(ofA, ofB)
  const documentIds = [a.documentId, b.documentId]
  const answer = await askTwice(
    () => means.ask(request, documentIds),
    ({ content }) => readVerdict(content),
  )
  if (!answer) return { isDeclined: true }
  const { read: verdict, model } = answer
  if (!isReported(verdict)) return { isDeclined: false }
  const decidedBy = `model:${model.slice(0, MAX_NAME)}/${request.promptVersion}`
  return { judged: { a, b, verdict, decidedBy }, isDeclined: false }
}

const MAX_NAME = 100

/** An answer of another form than was asked for is asked for once more. Null where the model declines, or does so twice. */
async function askTwice<Read>(
  ask: () => Promise<ModelAnswer>,
  read: (answer: ModelAnswer) => Read | null,
): Promise<{ readonly read: Read; readonly model: string } | null> {
  for (let time = 0; time < 2; time += 1)
    try {
      const answer = await ask()
      const found = read(answer)
      if (found !== null) return { read: found, model: answer.model }
    } catch (error) {
      if (error instanceof ModelFailure && error.isAboutRequest) return null
      throw error
    }
  return null
}
