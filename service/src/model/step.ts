/**
 * Asks a language model about one comparison step: first which of its facts contradict earlier ones, and which
 * contradict others of their own document; then about each proposed pair alone, with the text around both quotes. The
 * requests are its only side effect.
 */
import type { LocatedClaim } from '../domain/claim.ts'
import { ModelFailure } from '../domain/model.ts'
import type { ModelAnswer, ModelRequest } from '../domain/model.ts'
import { formatDay } from '../domain/period.ts'
import { comparisonRequest, readProposals } from './compare.ts'
import type { ComparedDocument } from './compare.ts'
import { chooseOwnFacts, readOwnProposals, withinRequest } from './compare-within.ts'
import { gatherEvidence } from './evidence.ts'
import { inOrder } from './facts.ts'
import { isReported, ownVerificationRequest, readVerdict, verificationRequest } from './verify.ts'
import type { PairEvidence, PairVerdict } from './verify.ts'

/** A fact by the claim that was sent to the model. */
export interface OpenedFact {
  readonly key: bigint
  readonly documentId: string
  /** The number of the claim in its document. */
  readonly no: number
  readonly version: number
  readonly claim: LocatedClaim
}

/** A fact that the document of a step states as well. */
export interface OpenedOwnFact extends OpenedFact {
  /** Filed before the facts of the step. Of facts that were filed together a pair is asked about in the step of the greater key. */
  readonly isEarlier: boolean
}

export interface OpenedStep {
  /** The facts of one document. */
  readonly fresh: readonly OpenedFact[]
  /** The facts of the same document, and not of the step. */
  readonly own: readonly OpenedOwnFact[]
  /** The facts of other documents. */
  readonly earlier: readonly OpenedFact[]
  /** Names of documents. */
  readonly titles: ReadonlyMap<string, string>
}

export interface StepDeps {
  /** Names the documents whose content is in the request. Rejects with a `ModelFailure` where there is no answer. */
  ask(request: ModelRequest, documentIds: readonly string[]): Promise<ModelAnswer>
  /** The text of a document as it was read; undefined where it is gone. */
  textOf(place: { readonly documentId: string; readonly version: number }): Promise<string | undefined>
}

/** A pair with its verdict. `a` is the earlier statement. */
export interface JudgedPair {
  readonly a: OpenedFact
  readonly b: OpenedFact
  readonly verdict: PairVerdict
  /** The model and the version of its prompt. */
  readonly decidedBy: string
}

export interface StepAnswer {
  /** The findings to report. */
  readonly pairs: readonly JudgedPair[]
  /** The pairs whose verdict is no finding. */
  readonly rejected: readonly JudgedPair[]
  /** The number of invalid items in answers. */
  readonly dropped: number
  /** Facts about which the model declined to answer, or gave no answer of the form that was asked for. */
  readonly declined: readonly bigint[]
}

/** Rejects with a `ModelFailure` where the endpoint gave no answer to one of the requests, through no fault of the request. */
export async function askAboutStep(step: OpenedStep, deps: StepDeps): Promise<StepAnswer> {
  const { fresh, own, earlier } = step
  const { proposals, dropped, declined } = await joinAll([propose(step, deps), proposeWithin(step, deps)])
  const facts = new Map([...earlier, ...own, ...fresh].map((fact) => [String(fact.key), fact]))
  const ordered = proposals.flatMap(({ a, b }) => {
    const [x, y] = [facts.get(a), facts.get(b)]
    return x && y ? [{ fresh: x, pair: inOrder(x, y) }] : []
  })
  const evidence = await gatherAll(
    ordered.flatMap(({ pair }) => pair),
    step,
    deps,
  )
  const answers = await settleAll(
    ordered.map(async ({ fresh: { key }, pair }) => ({ key, ...(await verify(pair, evidence, deps)) })),
  )
  const judged = answers.flatMap((answer) => answer.judged ?? [])
  const refused = answers.filter(({ isDeclined }) => isDeclined).map(({ key }) => key)
  return {
    pairs: judged.filter(({ verdict }) => isReported(verdict)),
    rejected: judged.filter(({ verdict }) => !isReported(verdict)),
    dropped,
    // @point comparison.declined
    declined: [...new Set([...declined, ...refused])],
  }
}

interface ProposedPair {
  /** Id of a fact of the step. */
  readonly a: string
  readonly b: string
}

interface Proposed {
  readonly proposals: readonly ProposedPair[]
  readonly dropped: number
  /** Facts of the step about which the model gave no answer, at least beside some others. */
  readonly declined: readonly bigint[]
}

const nothing: Proposed = { proposals: [], dropped: 0, declined: [] }

async function propose(step: OpenedStep, deps: StepDeps): Promise<Proposed> {
  const [newDocument] = documentsOf(step.fresh, step.titles)
  if (!newDocument || step.earlier.length === 0) return nothing
  const keys = step.fresh.map(({ key }) => key)
  const groups = separate(documentsOf(step.earlier, step.titles))
  return joinAll(
    groups.map((group) => proposeAmong({ document: newDocument, keys }, group, deps, MAX_HALVINGS)),
  )
}

/** Asks about the facts of the document that may disagree with one another, in a request of their own. */
async function proposeWithin({ fresh, own, earlier, titles }: OpenedStep, deps: StepDeps): Promise<Proposed> {
  // A fact that another document states as well is compared as a statement of that one.
  const shown = new Set(earlier.map(({ key }) => key))
  const others = new Map(own.flatMap((fact) => (shown.has(fact.key) ? [] : [[fact.key, fact] as const])))
  const isAsked = (x: OpenedFact, y: OpenedFact) => {
    const [ofX, ofY] = [others.get(x.key), others.get(y.key)]
    if (ofX && ofY) return false
    if (ofX) return ofX.isEarlier || ofX.key < y.key
    return ofY ? ofY.isEarlier || ofY.key < x.key : true
  }
  const inText = [...fresh, ...others.values()].toSorted((x, y) => x.no - y.no)
  const chosen = chooseOwnFacts(inText, isAsked)
  const [document] = documentsOf(chosen, titles)
  if (!document) return nothing
  const isFresh = (id: string) => !others.has(BigInt(id))
  const answer = await askTwice(
    withinRequest(document),
    (request) => deps.ask(request, [document.id]),
    ({ content }) => readOwnProposals(content, document),
  )
  if (!answer) return { ...nothing, declined: chosen.map(({ key }) => key).filter((key) => !others.has(key)) }
  const { proposals, dropped } = answer.read
  const asked = proposals.flatMap(({ a, b }) =>
    isFresh(a) ? [{ a, b }] : isFresh(b) ? [{ a: b, b: a }] : [],
  )
  return { proposals: asked, dropped: dropped + proposals.length - asked.length, declined: [] }
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

/** Waits for all, even if one fails. */
async function settleAll<Each>(work: readonly Promise<Each>[]): Promise<Each[]> {
  const settled = await Promise.allSettled(work)
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
  return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
}

async function joinAll(work: readonly Promise<Proposed>[]): Promise<Proposed> {
  const answers = await settleAll(work)
  return {
    proposals: answers.flatMap(({ proposals }) => proposals),
    dropped: answers.reduce((sum, { dropped }) => sum + dropped, 0),
    declined: [...new Set(answers.flatMap(({ declined }) => declined))],
  }
}

/** How often a request without an answer is split in two. */
const MAX_HALVINGS = 4

interface NewDocument {
  readonly document: ComparedDocument
  readonly keys: readonly bigint[]
}

/**
 * If the model gives no answer, each half of the documents is asked about separately, so that one document does not
 * fail all of them.
 */
async function proposeAmong(
  fresh: NewDocument,
  earlier: readonly ComparedDocument[],
  deps: StepDeps,
  halvings: number,
): Promise<Proposed> {
  const { document, keys } = fresh
  const request = comparisonRequest(document, earlier)
  const documentIds = [document.id, ...earlier.map(({ id }) => id)]
  const answer = await askTwice(
    request,
    (each) => deps.ask(each, documentIds),
    ({ content }) => readProposals(content, document, earlier),
  )
  if (answer) return { ...answer.read, declined: [] }
  if (halvings === 0 || earlier.length === 1) return { ...nothing, declined: keys }
  const middle = Math.ceil(earlier.length / 2)
  const halves = [earlier.slice(0, middle), earlier.slice(middle)]
  return joinAll(halves.map((half) => proposeAmong(fresh, half, deps, halvings - 1)))
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

function dateOf(claims: readonly LocatedClaim[]): string | null {
  const day = claims.find(({ assertedAt }) => assertedAt !== null)?.assertedAt ?? null
  return day === null ? null : formatDay(day)
}

/** In the order of their sides: one pair is one request. */
type Pair = readonly [OpenedFact, OpenedFact]

/** By fact. One text after the other, because each may be large. */
async function gatherAll(
  facts: readonly OpenedFact[],
  { titles }: OpenedStep,
  deps: StepDeps,
): Promise<Map<bigint, PairEvidence>> {
  const gathered = new Map<bigint, PairEvidence>()
  for (const [documentId, own] of Map.groupBy(facts, (fact) => fact.documentId)) {
    const version = own[0]?.version ?? 0
    // oxlint-disable-next-line no-await-in-loop -- one text in memory at a time
    const text = await deps.textOf({ documentId, version })
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
  deps: StepDeps,
): Promise<Verified> {
  const [ofA, ofB] = [evidence.get(a.key), evidence.get(b.key)]
  if (!ofA || !ofB) return { isDeclined: false }
  const isWithin = a.documentId === b.documentId
  const request = isWithin ? ownVerificationRequest(ofA, ofB) : verificationRequest(ofA, ofB)
  const documentIds = isWithin ? [a.documentId] : [a.documentId, b.documentId]
  const answer = await askTwice(
    request,
    (each) => deps.ask(each, documentIds),
    ({ content }) => readVerdict(content),
  )
  if (!answer) return { isDeclined: true }
  const { read: verdict, model } = answer
  const decidedBy = `model:${model.slice(0, MAX_NAME)}/${request.promptVersion}`
  return { judged: { a, b, verdict, decidedBy }, isDeclined: false }
}

const MAX_NAME = 100

/** Asks once more if the answer does not match the schema. Returns null if the model declines or fails twice. */
async function askTwice<Read>(
  request: ModelRequest,
  ask: (request: ModelRequest) => Promise<ModelAnswer>,
  read: (answer: ModelAnswer) => Read | null,
): Promise<{ readonly read: Read; readonly model: string } | null> {
  for (const each of [request, secondRequest(request)])
    try {
      const answer = await ask(each)
      const found = read(answer)
      if (found !== null) return { read: found, model: answer.model }
    } catch (error) {
      if (error instanceof ModelFailure && error.isAboutRequest) return null
      throw error
    }
  return null
}

/** It differs from the first, so that the stored answer to the first is not given again. */
function secondRequest(request: ModelRequest): ModelRequest {
  const content: Record<string, unknown> = JSON.parse(request.user)
  return { ...request, user: JSON.stringify({ ...content, attempt: 2 }) }
}
