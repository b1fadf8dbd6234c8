/**
 * Asking a judge about what rules leave open, step by step: what is due, taking one question, and what came of it. Asking
 * itself happens between two transactions, so nobody waits for an answer but the question.
 */
import type { TenantCaller } from '../../domain/caller.ts'
import { isFinding, MAX_REFUSALS, pauseAfter, questionOf } from '../../domain/judge.ts'
import type { Asked, Question, Verdict } from '../../domain/judge.ts'
import * as store from '../../store/contradictions/judge-requests.ts'
import type { JudgeStanding, RequestPlace, TakenRequest } from '../../store/contradictions/judge-requests.ts'
import type { Pools } from '../../store/pools.ts'
import { lockScopeHead } from '../../store/scopes/scope-log.ts'
import { inTenant } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Auditor } from '../audit/audit.ts'
import { compareClaims } from '../comparing/comparison.ts'
import type { OnCompareError } from '../comparing/comparison.ts'
import { factsOf } from '../access/governance.ts'
import type { Policies } from '../access/policies.ts'
import { openClaim } from '../documents/claim-seals.ts'
import type { ScopeSeal, ScopeSeals } from '../scopes/scope-seals.ts'

export type { JudgeStanding, RequestPlace }

export interface JudgingDeps {
  /** Runs as the worker role. */
  readonly pools: Pools
  readonly seals: ScopeSeals
  readonly policies: Policies
  readonly auditor: Auditor
  readonly model: string
  /** Whether what is asked leaves this machine. */
  readonly external: boolean
  /** Tokens a tenant may use in a day. */
  readonly budget: number
  /** Longer than any answer takes: then somebody else may ask. */
  readonly leaseMs: number
  /** The largest price of a question. */
  readonly priceOf: (question: Question) => number
  /** Told after the commit which scope has something new. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
  readonly trouble?: OnCompareError
}

/** A question in flight. */
export interface Taken {
  readonly place: RequestPlace
  readonly question: Question
  readonly seal: ScopeSeal
  readonly group: bigint
  readonly failures: number
  readonly refusals: number
  /** Tokens that are set aside for it. */
  readonly reserved: number
}

/** `gone`: somebody else has it, or there is nothing left to ask. `not_allowed`: a policy does not permit it for both documents. */
export type TakeAnswer = Taken | 'gone' | 'over_budget' | 'not_allowed'

/** A budget may be raised, and a day ends; policies change. */
const LATER_MS = 15 * 60_000

export async function findDue({ pools }: JudgingDeps, most: number): Promise<RequestPlace[]> {
  return store.selectDueRequests(pools.kernel, most)
}

export async function countWaiting({ pools }: JudgingDeps): Promise<number> {
  return store.countRequests(pools.kernel)
}

export async function takeQuestion(deps: JudgingDeps, place: RequestPlace): Promise<TakeAnswer> {
  const { tenantId, scopeId } = place
  const seal = await deps.seals.get(tenantId, scopeId)
  return inTenant(deps.pools.tenant, tenantId, async (transaction) => {
    const request = await store.takeRequest(transaction, place, deps.leaseMs)
    if (!request) return 'gone'
    if (request.epoch !== seal.epoch) {
      deps.seals.forget(tenantId, scopeId, seal.epoch)
      // With the seal of its generation at the next turn, if that generation still is.
      await store.postponeRequest(transaction, place, { ...request, afterMs: 0 })
      return 'gone'
    }
    const question = openQuestion(seal, request)
    if (!question) {
      // One of the claims went; what came in its place is noted by itself.
      await store.deleteRequest(transaction, place)
      return 'gone'
    }
    if (!(await isAllowed(deps, transaction, place, request, seal))) {
      await store.postponeRequest(transaction, place, { ...request, afterMs: LATER_MS })
      return 'not_allowed'
    }
    const reserved = deps.priceOf(question)
    if (!(await store.reserveTokens(transaction, reserved, deps.budget))) {
      await store.postponeRequest(transaction, place, { ...request, afterMs: LATER_MS })
      return 'over_budget'
    }
    const { group, failures, refusals } = request
    return { place, question, seal, group, failures, refusals, reserved }
  })
}

/** By the policies in force now, for each of the two documents. A release by a person lets a document be read, not sent away. */
async function isAllowed(
  { policies, model, external }: JudgingDeps,
  transaction: TenantTransaction,
  { tenantId, scopeId }: RequestPlace,
  { a, b }: TakenRequest,
  seal: ScopeSeal,
): Promise<boolean> {
  const sides = [a, b].filter((side) => side !== undefined)
  const documents = await store.selectAskedDocuments(transaction, scopeId, sides)
  const set = await policies.inForce(transaction, scopeId)
  const allowed = documents.filter((asked) => {
    const { documentId } = asked
    const about = { tenantId, scopeId, documentId, document: factsOf(asked, asked, seal) }
    return set.decide({ ...about, point: 'process_document', stage: 'compare', model, external }).allowed
  })
  return allowed.length === 2
}

function openQuestion(seal: ScopeSeal, { a, b }: TakenRequest): Question | undefined {
  if (!a || !b) return undefined
  return questionOf(openClaim(seal, a), openClaim(seal, b))
}

/** Records the end of a question: a verdict, or it waits for its next turn. */
export async function concludeQuestion(
  deps: JudgingDeps,
  taken: Taken,
  asked: Asked,
): Promise<Verdict | 'again'> {
  const { tenantId, scopeId } = taken.place
  const verdict = verdictOf(taken, asked)
  const hasEvents = await inTenant(deps.pools.tenant, tenantId, async (transaction) => {
    if (verdict === undefined) return putBack(transaction, taken, asked)
    return decide(deps, transaction, taken, verdict, asked.tokens)
  })
  if (hasEvents) deps.announceEvents(tenantId, scopeId)
  return verdict ?? 'again'
}

function verdictOf({ refusals }: Taken, asked: Asked): Verdict | undefined {
  if (asked.kind === 'answered') return asked.answer.verdict
  return asked.kind === 'refused' && refusals + 1 >= MAX_REFUSALS ? 'unsure' : undefined
}

/** Given back untried, for whoever is there next. */
export async function releaseQuestion({ pools }: JudgingDeps, { place, ...taken }: Taken): Promise<void> {
  await inTenant(pools.tenant, place.tenantId, async (transaction) => {
    await store.postponeRequest(transaction, place, { ...taken, afterMs: 0 })
    await store.correctSpending(transaction, -taken.reserved)
  })
}

async function putBack(transaction: TenantTransaction, taken: Taken, asked: Asked): Promise<false> {
  const { place, failures, refusals, reserved } = taken
  const failed = asked.kind === 'failed'
  await store.postponeRequest(transaction, place, {
    afterMs: failed ? pauseAfter(failures, asked.retryAfterMs) : 0,
    failures: failures + (failed ? 1 : 0),
    refusals: refusals + (failed ? 0 : 1),
  })
  await store.correctSpending(transaction, asked.tokens - reserved)
  return false
}

/** A verdict and what it opens are one commit. What was asked in a generation that is over has no effect. */
async function decide(
  { model, policies, auditor, trouble }: JudgingDeps,
  transaction: TenantTransaction,
  { place, seal, group, reserved }: Taken,
  verdict: Verdict,
  tokens: number,
): Promise<boolean> {
  const { tenantId, scopeId } = place
  const head = await lockScopeHead(transaction, scopeId)
  const isCurrent = head?.epoch === seal.epoch
  if (isCurrent) {
    await store.insertVerdict(transaction, place, { epoch: seal.epoch, verdict, model, tokens })
    await store.deleteRequest(transaction, place)
  }
  await store.correctSpending(transaction, tokens - reserved)
  if (!isCurrent || !isFinding(verdict)) return false
  // Whether both claims still are there is seen by comparing.
  const change = { tenantId, scopeId, seal, documents: [], groups: [group] }
  await compareClaims(transaction.connection, [change], { policies, auditor, trouble })
  return true
}

export interface JudgePermitDeps {
  readonly pools: Pools
  readonly auditor: Auditor
}

/** From now on, what rules leave open in documents that come is noted and asked. */
export async function permitJudge(
  { pools, auditor }: JudgePermitDeps,
  who: TenantCaller,
): Promise<JudgeStanding> {
  return inTenant(pools.tenant, who.tenantId, async (transaction) => {
    const { tenantId } = who
    if (await store.insertPermit(transaction, who.actor))
      await recordAudit(transaction.connection, auditor, [{ action: 'judge.permitted', who, tenantId }])
    return store.selectStanding(transaction)
  })
}

/** Withdraws questions that are not asked yet; answers stay. */
export async function forbidJudge(
  { pools, auditor }: JudgePermitDeps,
  who: TenantCaller,
): Promise<JudgeStanding> {
  return inTenant(pools.tenant, who.tenantId, async (transaction) => {
    const { tenantId } = who
    if (await store.deletePermit(transaction))
      await recordAudit(transaction.connection, auditor, [{ action: 'judge.forbidden', who, tenantId }])
    return store.selectStanding(transaction)
  })
}

export async function getJudgeStanding(
  { pools }: Pick<JudgePermitDeps, 'pools'>,
  who: TenantCaller,
): Promise<JudgeStanding> {
  return inTenant(pools.tenant, who.tenantId, store.selectStanding)
}
