/**
 * Reads a scope with a language model, step by step: extraction of every document, comparison of each with the earlier ones, verification
 * of each proposed pair. A step begins as soon as what it needs is there.
 */
import type { AskModel } from '@concord/service/src/domain/model.ts'
import { readProposals } from '@concord/service/src/model/compare.ts'
import type { Proposal, Proposals } from '@concord/service/src/model/compare.ts'
import { gatherEvidence } from '@concord/service/src/model/evidence.ts'
import { planReading, readWithModel } from '@concord/service/src/model/reading.ts'
import { readVerdict, verificationRequest } from '@concord/service/src/model/verify.ts'
import type { PairEvidence, PairVerdict } from '@concord/service/src/model/verify.ts'
import type { ScopeText } from '../report.ts'
import { planComparisons } from './comparisons.ts'
import type { Comparison } from './comparisons.ts'
import { listFacts, titleOf } from './scope-facts.ts'
import type { Fact, ReadDocument, ScopeDocument } from './scope-facts.ts'

export interface VerifiedPair {
  readonly proposal: Proposal
  readonly a: Fact
  readonly b: Fact
  /** Null where the answer was malformed. */
  readonly verdict: PairVerdict | null
}

export interface PipelineResult {
  readonly scope: ScopeText
  readonly documents: readonly ReadDocument[]
  /** By document. */
  readonly facts: readonly (readonly Fact[])[]
  readonly pairs: readonly VerifiedPair[]
  /** Items of answers to comparisons that were left out. */
  readonly dropped: number
}

export async function readScope(scope: ScopeText, ask: AskModel, maxTokens: number): Promise<PipelineResult> {
  const readings = scope.documents.map((document) => readDocument(document, ask))
  const compared = scope.documents.map(async (_, position) => {
    const upTo = await Promise.all(readings.slice(0, position + 1))
    return compareLast(upTo, ask, maxTokens)
  })
  const settled = await Promise.allSettled([...readings, ...compared])
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const documents = await Promise.all(readings)
  const results = await Promise.all(compared)
  return {
    scope,
    documents,
    facts: listFacts(documents),
    pairs: results.flatMap(({ pairs }) => pairs),
    dropped: results.reduce((sum, { dropped }) => sum + dropped, 0),
  }
}

async function readDocument({ id, name, text }: ScopeDocument, ask: AskModel): Promise<ReadDocument> {
  const plan = planReading(text)
  return { id, name, text, plan, reading: await readWithModel(plan, ask) }
}

type ComparedPairs = Pick<PipelineResult, 'pairs' | 'dropped'>

/** Compares the last document with those before it. */
async function compareLast(
  documents: readonly ReadDocument[],
  ask: AskModel,
  maxTokens: number,
): Promise<ComparedPairs> {
  const facts = listFacts(documents)
  const [document, fresh] = [documents.at(-1), facts.at(-1)]
  if (document === undefined || fresh === undefined) return { pairs: [], dropped: 0 }
  const byId = new Map(facts.flat().map((fact) => [fact.id, fact]))
  const comparisons = planComparisons(document, fresh, facts.slice(0, -1).flat(), maxTokens)
  const found = await Promise.all(comparisons.map((comparison) => propose(comparison, ask)))
  const proposals = found.flatMap((each) => each.proposals)
  return {
    pairs: await Promise.all(proposals.map((proposal) => verify(proposal, byId, ask))),
    dropped: found.reduce((sum, { dropped }) => sum + dropped, 0),
  }
}

async function propose({ request, newDocument, earlier }: Comparison, ask: AskModel): Promise<Proposals> {
  const { content } = await ask(request)
  return readProposals(content, newDocument, earlier) ?? { proposals: [], dropped: 0 }
}

async function verify(
  proposal: Proposal,
  byId: ReadonlyMap<string, Fact>,
  ask: AskModel,
): Promise<VerifiedPair> {
  const [a, b] = [byId.get(proposal.a), byId.get(proposal.b)]
  if (a === undefined || b === undefined) throw new Error(`no such fact: ${proposal.a} or ${proposal.b}`)
  const [first, second] = [a, b].toSorted(byDate)
  const { content } = await ask(verificationRequest(evidenceOf(first ?? a), evidenceOf(second ?? b)))
  return { proposal, a, b, verdict: readVerdict(content) }
}

/** The earlier date first; without two dates, or with one date, the lower id. */
function byDate({ document: a }: Fact, { document: b }: Fact): number {
  const days = (a.plan.day ?? 0) - (b.plan.day ?? 0)
  return a.plan.day === null || b.plan.day === null || days === 0 ? (a.id < b.id ? -1 : 1) : days
}

function evidenceOf({ document, claim }: Fact): PairEvidence {
  return gatherEvidence(document.text, claim, { title: titleOf(document), date: document.plan.date })
}
