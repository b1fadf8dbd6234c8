/**
 * Questions to the judge about pairs that the rules leave open: finds due questions, leases one, and writes the verdict. The judge
 * is asked between two transactions, so no lock is held meanwhile.
 */
import type { TenantCaller } from '../../domain/caller.ts'
import { isFinding, MAX_REFUSALS, judgeRetryDelayMs, questionOf } from '../../domain/judge.ts'
import type { JudgeResponse, Question, Verdict } from '../../domain/judge.ts'
import * as store from '../../store/contradictions/judge-requests.ts'
import type { JudgeStatus, RequestRef, LeasedRequest } from '../../store/contradictions/judge-requests.ts'
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

export type { JudgeStatus, RequestRef }

export interface JudgingDeps {
  /** Runs as the worker role. */
  readonly pools: Pools
  readonly seals: ScopeSeals
  readonly policies: Policies
  readonly auditor: Auditor
  readonly model: string
  /** True if the question leaves this machine. */
  readonly external: boolean
  /** The daily token budget of a tenant. */
  readonly budget: number
  /** The lease of a question, longer than any answer takes. After it expires, another process may ask. */
  readonly leaseMs: number
  /** The maximum cost of a question, in tokens. */
  readonly priceOf: (question: Question) => number
  /** Called after the commit with the scope that has new events. */
  readonly announceEvents: (tenantId: string, scopeId: string) => void
  readonly onCompareError?: OnCompareError
}

/** A question in flight. */
export interface LeasedQuestion {
  readonly ref: RequestRef
  readonly question: Question
  readonly seal: ScopeSeal
  readonly group: bigint
  readonly failures: number
  readonly refusals: number
  /** The tokens reserved for the question. */
  readonly reserved: number
}

/** `gone`: another process has the question, or there is nothing left to ask. `not_allowed`: a policy forbids it for one of the documents. */
export type LeaseQuestionResult = LeasedQuestion | 'gone' | 'over_budget' | 'not_allowed'

/** The retry delay if the budget is spent or a policy forbids the question: both may change. */
const LATER_MS = 15 * 60_000

export async function findDue({ pools }: JudgingDeps, most: number): Promise<RequestRef[]> {
  return store.selectDueRequests(pools.kernel, most)
}

export async function countWaiting({ pools }: JudgingDeps): Promise<number> {
  return store.countRequests(pools.kernel)
}

export async function leaseQuestion(deps: JudgingDeps, ref: RequestRef): Promise<LeaseQuestionResult> {
  const { tenantId, scopeId } = ref
  const seal = await deps.seals.get(tenantId, scopeId)
  return inTenant(deps.pools.tenant, tenantId, async (transaction) => {
    const request = await store.leaseRequest(transaction, ref, deps.leaseMs)
    if (!request) return 'gone'
    if (request.epoch !== seal.epoch) {
      deps.seals.forget(tenantId, scopeId, seal.epoch)
      // The next attempt uses the seal of the present generation, if the question still exists.
      await store.postponeRequest(transaction, ref, { ...request, afterMs: 0 })
      return 'gone'
    }
    const question = openQuestion(seal, request)
    if (!question) {
      // One of the claims was removed. Its replacement is queued as a question of its own.
      await store.deleteRequest(transaction, ref)
      return 'gone'
    }
    if (!(await isAllowed(deps, transaction, ref, request, seal))) {
      await store.postponeRequest(transaction, ref, { ...request, afterMs: LATER_MS })
      return 'not_allowed'
    }
    const reserved = deps.priceOf(question)
    if (!(await store.reserveTokens(transaction, reserved, deps.budget))) {
      await store.postponeRequest(transaction, ref, { ...request, afterMs: LATER_MS })
      return 'over_budget'
    }
    const { group, failures, refusals } = request
    return { ref, question, seal, group, failures, refusals, reserved }
  })
}

/** Evaluates the present policies for both documents. A release by a person allows reading a document, not sending it to the judge. */
async function isAllowed(
  { policies, model, external }: JudgingDeps,
  transaction: TenantTransaction,
  { tenantId, scopeId }: RequestRef,
  { a, b }: LeasedRequest,
  seal: ScopeSeal,
): Promise<boolean> {
  const sides = [a, b].filter((side) => side !== undefined)
  const documents = await store.selectJudgedDocuments(transaction, scopeId, sides)
  const set = await policies.inForce(transaction, scopeId)
  const allowed = documents.filter((asked) => {
    const { documentId } = asked
    const about = { tenantId, scopeId, documentId, document: factsOf(asked, asked, seal) }
    return set.decide({ ...about, point: 'process_document', stage: 'compare', model, external }).allowed
  })
  return allowed.length === 2
}

function openQuestion(seal: ScopeSeal, { a, b }: LeasedRequest): Question | undefined {
  if (!a || !b) return undefined
  return questionOf(openClaim(seal, a), openClaim(seal, b))
}

/** Records a verdict, or postpones the question. */
export async function completeQuestion(
  deps: JudgingDeps,
  taken: LeasedQuestion,
  asked: JudgeResponse,
): Promise<Verdict | 'again'> {
  const { tenantId, scopeId } = taken.ref
  const verdict = verdictOf(taken, asked)
  const hasEvents = await inTenant(deps.pools.tenant, tenantId, async (transaction) => {
    if (verdict === undefined) return retryLater(transaction, taken, asked)
    return decide(deps, transaction, taken, verdict, asked.tokens)
  })
  if (hasEvents) deps.announceEvents(tenantId, scopeId)
  return verdict ?? 'again'
}

function verdictOf({ refusals }: LeasedQuestion, asked: JudgeResponse): Verdict | undefined {
  if (asked.kind === 'answered') return asked.answer.verdict
  return asked.kind === 'refused' && refusals + 1 >= MAX_REFUSALS ? 'unsure' : undefined
}

/** Releases the lease of a question that was not asked, so that another process can take it. */
export async function releaseQuestion(
  { pools }: JudgingDeps,
  { ref, ...taken }: LeasedQuestion,
): Promise<void> {
  await inTenant(pools.tenant, ref.tenantId, async (transaction) => {
    await store.postponeRequest(transaction, ref, { ...taken, afterMs: 0 })
    await store.correctSpending(transaction, -taken.reserved)
  })
}

async function retryLater(
  transaction: TenantTransaction,
  taken: LeasedQuestion,
  asked: JudgeResponse,
): Promise<false> {
  const { ref, failures, refusals, reserved } = taken
  const failed = asked.kind === 'failed'
  await store.postponeRequest(transaction, ref, {
    afterMs: failed ? judgeRetryDelayMs(failures, asked.retryAfterMs) : 0,
    failures: failures + (failed ? 1 : 0),
    refusals: refusals + (failed ? 0 : 1),
  })
  await store.correctSpending(transaction, asked.tokens - reserved)
  return false
}

/** Writes a verdict and the findings that follow from it in one transaction. A question of an older generation has no effect. */
async function decide(
  { model, policies, auditor, onCompareError }: JudgingDeps,
  transaction: TenantTransaction,
  { ref, seal, group, reserved }: LeasedQuestion,
  verdict: Verdict,
  tokens: number,
): Promise<boolean> {
  const { tenantId, scopeId } = ref
  const head = await lockScopeHead(transaction, scopeId)
  const isCurrent = head?.epoch === seal.epoch
  if (isCurrent) {
    await store.insertVerdict(transaction, ref, { epoch: seal.epoch, verdict, model, tokens })
    await store.deleteRequest(transaction, ref)
  }
  await store.correctSpending(transaction, tokens - reserved)
  if (!isCurrent || !isFinding(verdict)) return false
  // The comparison checks whether both claims still exist.
  const change = { tenantId, scopeId, seal, documents: [], groups: [group] }
  await compareClaims(transaction.connection, [change], { policies, auditor, onCompareError })
  return true
}

export interface JudgePermitDeps {
  readonly pools: Pools
  readonly auditor: Auditor
}

/** Enables the judge for a tenant: from now on, pairs that the rules leave open in new documents become questions. */
export async function permitJudge(
  { pools, auditor }: JudgePermitDeps,
  who: TenantCaller,
): Promise<JudgeStatus> {
  return inTenant(pools.tenant, who.tenantId, async (transaction) => {
    const { tenantId } = who
    if (await store.insertPermit(transaction, who.actor))
      await recordAudit(transaction.connection, auditor, [{ action: 'judge.permitted', who, tenantId }])
    return store.selectJudgeStatus(transaction)
  })
}

/** Disables the judge for a tenant and deletes questions that were not asked yet. Verdicts stay. */
export async function forbidJudge(
  { pools, auditor }: JudgePermitDeps,
  who: TenantCaller,
): Promise<JudgeStatus> {
  return inTenant(pools.tenant, who.tenantId, async (transaction) => {
    const { tenantId } = who
    if (await store.deletePermit(transaction))
      await recordAudit(transaction.connection, auditor, [{ action: 'judge.forbidden', who, tenantId }])
    return store.selectJudgeStatus(transaction)
  })
}

export async function getJudgeStanding(
  { pools }: Pick<JudgePermitDeps, 'pools'>,
  who: TenantCaller,
): Promise<JudgeStatus> {
  return inTenant(pools.tenant, who.tenantId, store.selectJudgeStatus)
}
