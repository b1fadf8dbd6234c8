/**
 * Reads a scope with a language model, step by step, by the functions of the service: extraction of every document, comparison of each with the
 * earlier ones and with itself, verification of each proposed pair. A step begins as soon as what it needs is there.
 */
import type { AskModel } from '@concord/service/src/domain/model.ts'
import { isolate, isSuspect } from '@concord/service/src/model/orders.ts'
import { planReading, readWithModel } from '@concord/service/src/model/reading.ts'
import { askAboutStep } from '@concord/service/src/model/step.ts'
import type { PairVerdict } from '@concord/service/src/model/verify.ts'
import type { ScopeText } from '../report.ts'
import { listFacts } from './scope-facts.ts'
import type { LabelledDocumentFacts, Fact, ReadDocument, ScopeDocument } from './scope-facts.ts'
import { planSteps } from './steps.ts'
import type { PlannedStep } from './steps.ts'

export interface VerifiedPair {
  /** The statement of the earlier date, or of the lower document id where dates do not tell. */
  readonly a: Fact
  readonly b: Fact
  readonly verdict: PairVerdict
}

export interface PipelineResult {
  readonly scope: ScopeText
  readonly documents: readonly ReadDocument[]
  /** By document. */
  readonly facts: readonly LabelledDocumentFacts[]
  readonly pairs: readonly VerifiedPair[]
  /** Items of answers to comparisons that were left out. */
  readonly dropped: number
  /** Facts about which there was no answer, or none of the form that was asked for. */
  readonly declined: number
}

export interface PipelineOptions {
  /** Tokens of statements up to which a document is compared with the whole scope. */
  readonly budget: number
  /** Whether a document that seems to speak to the model is compared in requests of its own, as in the service. */
  readonly isolates: boolean
}

export async function readScope(
  scope: ScopeText,
  ask: AskModel,
  { budget, isolates }: PipelineOptions,
): Promise<PipelineResult> {
  const readings = scope.documents.map((document) => readDocument(document, ask, isolates))
  const compared = scope.documents.map(async (_, position) => {
    const upTo = await Promise.all(readings.slice(0, position + 1))
    return compareLast(upTo, ask, budget)
  })
  const settled = await Promise.allSettled([...readings, ...compared])
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const documents = await Promise.all(readings)
  const results = (await Promise.all(compared)).flat()
  return {
    scope,
    documents,
    facts: listFacts(documents),
    pairs: results.flatMap(({ pairs }) => pairs),
    dropped: results.reduce((sum, { dropped }) => sum + dropped, 0),
    declined: results.reduce((sum, { declined }) => sum + declined, 0),
  }
}

async function readDocument(
  { id, name, text }: ScopeDocument,
  ask: AskModel,
  isolates: boolean,
): Promise<ReadDocument> {
  const plan = planReading(text)
  const reading = await readWithModel(plan, ask)
  const claims = isolates && isSuspect(plan, name) ? reading.claims.map(isolate) : reading.claims
  return { id, name, text, plan, reading: { ...reading, claims } }
}

type ComparedPairs = Pick<PipelineResult, 'pairs' | 'dropped' | 'declined'>

/** Compares the last document with those before it, and with itself. */
async function compareLast(
  documents: readonly ReadDocument[],
  ask: AskModel,
  budget: number,
): Promise<ComparedPairs[]> {
  const facts = listFacts(documents)
  const last = facts.at(-1)
  if (last === undefined) return []
  const texts = new Map(documents.map(({ id, text }) => [id, text]))
  const steps = planSteps({ ...last, earlier: facts.slice(0, -1).flatMap(({ fresh }) => fresh) }, budget)
  return Promise.all(steps.map((planned) => compareStep(planned, texts, ask)))
}

async function compareStep(
  { step, factOf }: PlannedStep,
  texts: ReadonlyMap<string, string>,
  ask: AskModel,
): Promise<ComparedPairs> {
  const { pairs, rejected, dropped, declined } = await askAboutStep(step, {
    ask: (request) => ask(request),
    textOf: async ({ documentId }) => texts.get(documentId),
  })
  const verified = [...pairs, ...rejected].map(({ a, b, verdict }) => ({
    a: factOf(a),
    b: factOf(b),
    verdict,
  }))
  return { pairs: verified, dropped, declined: declined.length }
}
