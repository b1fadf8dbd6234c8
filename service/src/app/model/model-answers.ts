/**
 * Asks a language model on behalf of a scope. Each answer is stored before it is used, so that a scope pays once for the
 * same request, even if the process crashes right after. The requests of a tenant are limited by its token budget.
 */
import { BudgetReserved, ModelFailure } from '../../domain/model.ts'
import type { AskModel, ModelAnswer, ModelRequest, ModelStep, ModelUsage } from '../../domain/model.ts'
import { maxTokens, tokensWithoutAnswer, totalOf, usageOf } from '../../domain/model-tokens.ts'
import { parseAnswer } from '../../model/answer-fields.ts'
import { requestHash } from '../../model/request-hash.ts'
import { retry } from '../../platform/retry.ts'
import { createSharedCalls } from '../../platform/shared-calls.ts'
import { isUnavailable } from '../../store/failures.ts'
import * as store from '../../store/model/model-answers.ts'
import type { TokenLimits } from '../../store/model/model-answers.ts'
import type { Pool } from '../../store/pools.ts'
import { inTenant } from '../../store/transaction.ts'
import type { TenantTransaction } from '../../store/transaction.ts'
import type { ScopeSeal, ScopeSeals } from '../scopes/scope-seals.ts'

export type { TokenLimits }

export interface ModelAnswersDeps {
  /** Runs as the worker role. */
  readonly pool: Pool
  readonly seals: ScopeSeals
  /** Asks the endpoint. */
  readonly ask: AskModel
  /** Returns the model of this step. */
  readonly nameOf: (step: ModelStep) => string
  /** The token budget of each tenant. */
  readonly limits: TokenLimits
}

export interface ModelRequestSource {
  readonly tenantId: string
  readonly scopeId: string
  /** The documents whose content is in the request. The answer is deleted with any of them. */
  readonly documentIds: readonly string[]
}

/** Rejects with a `ModelFailure` if there is no answer. */
export type AskForScope = (
  source: ModelRequestSource,
  request: ModelRequest,
  signal?: AbortSignal,
) => Promise<ModelAnswer>

/** Counters since the start of the process. */
export interface AnswerCounts {
  /** Requests that were answered from the store. */
  readonly reused: Record<ModelStep, number>
  /** Requests that exceeded the budget of their tenant. */
  overBudget: number
}

export interface ModelAnswers {
  readonly ask: AskForScope
  readonly counts: AnswerCounts
}

/** A request in flight. */
interface PendingRequest {
  readonly source: ModelRequestSource
  readonly request: ModelRequest
  readonly seal: ScopeSeal
  /** A keyed hash of the request and the model. */
  readonly hash: Buffer
}

/** The tokens that are reserved for a request; undefined without a budget. */
type Reservation = { readonly day: string; readonly tokens: number } | undefined

/** A retry after a lost response is idempotent: the first stored answer stays. */
const STORE_RETRY = { forMs: 60_000, maxPauseMs: 2_000, isWorthwhile: isUnavailable }
/** The retry delay while requests in flight have reserved the budget: some of them end soon. */
const RESERVED_MS = 10_000

export function createModelAnswers(deps: ModelAnswersDeps): ModelAnswers {
  const counts: AnswerCounts = { reused: { extract: 0, compare: 0, verify: 0 }, overBudget: 0 }
  const calls = createSharedCalls<ModelAnswer>()

  async function answer(pending: PendingRequest, signal: AbortSignal): Promise<ModelAnswer> {
    const found = await inTenant(deps.pool, pending.source.tenantId, async (transaction) => {
      const stored = await findAnswer(transaction, pending)
      return stored ?? { reserved: await reserve(deps.limits, transaction, pending.request) }
    }).catch((error: unknown) => {
      if (error instanceof ModelFailure && error.reason === 'over_budget') counts.overBudget += 1
      throw error
    })
    if ('reserved' in found) return askEndpoint(pending, found.reserved, signal)
    counts.reused[pending.request.step] += 1
    return found
  }

  async function askEndpoint(
    pending: PendingRequest,
    reserved: Reservation,
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    const { request } = pending
    try {
      const given = await deps.ask(request, signal)
      const usage = usageOf(request, given)
      const counted = { ...given, usage }
      await retry(() => storeAnswer(deps, pending, counted), STORE_RETRY)
      await retry(() => recordUsage(deps, pending, reserved, usage), STORE_RETRY)
      return counted
    } catch (error) {
      if (isUnavailable(error)) throw error
      await recordUnanswered(deps, pending, reserved, error)
      throw error
    }
  }

  return {
    counts,
    async ask(source, request, signal) {
      const seal = await deps.seals.get(source.tenantId, source.scopeId)
      const hash = seal.fingerprint(['model answer', deps.nameOf(request.step), requestHash(request)])
      const key = [source.tenantId, source.scopeId, seal.epoch, hash.toString('hex')].join(' ')
      return calls.join(key, (shared) => answer({ source, request, seal, hash }, shared), signal)
    },
  }
}

const SEALED_AS = 'model answer'

async function findAnswer(
  transaction: TenantTransaction,
  { source: { scopeId }, seal, hash }: PendingRequest,
): Promise<ModelAnswer | undefined> {
  const row = await store.selectAnswer(transaction, { scopeId, request: hash })
  if (row?.epoch !== seal.epoch) return undefined
  const { model, inputTokens, outputTokens } = row
  const content = seal.open(SEALED_AS, hash.toString('hex'), row.sealed).toString('utf8')
  return { content, model, usage: { inputTokens, outputTokens } }
}

async function reserve(
  limits: TokenLimits,
  transaction: TenantTransaction,
  request: ModelRequest,
): Promise<Reservation> {
  if (limits.perDay === undefined && limits.perMonth === undefined) return undefined
  const tokens = maxTokens(request)
  const reservation = await store.reserveTokens(transaction, tokens, limits)
  if (reservation.granted) return { day: reservation.day, tokens }
  if (reservation.afterMs === 0) throw new BudgetReserved(RESERVED_MS)
  throw new ModelFailure('over_budget', reservation.afterMs)
}

/** Stores the answer. One that is not a JSON object is not stored, because a retry may get a better answer. */
async function storeAnswer(
  { pool }: ModelAnswersDeps,
  { source, request, seal, hash }: PendingRequest,
  { content, model, usage }: ModelAnswer,
): Promise<void> {
  if (parseAnswer(content) === null) return
  const { step, promptVersion } = request
  const sealed = seal.seal(SEALED_AS, hash.toString('hex'), Buffer.from(content))
  await inTenant(pool, source.tenantId, (transaction) =>
    store.insertAnswer(transaction, {
      scopeId: source.scopeId,
      documentIds: source.documentIds,
      request: hash,
      epoch: seal.epoch,
      step,
      model,
      promptVersion,
      ...usage,
      sealed,
    }),
  )
}

/**
 * Records the usage in a separate transaction: it locks the budget row, which all requests of the tenant need, and
 * storing an answer may wait for the lock of the scope.
 */
async function recordUsage(
  { pool, nameOf }: ModelAnswersDeps,
  { source, request: { step } }: PendingRequest,
  reserved: Reservation,
  usage: ModelUsage,
): Promise<void> {
  await inTenant(pool, source.tenantId, async (transaction) => {
    await store.addUsage(transaction, { step, model: nameOf(step), ...usage })
    await store.addSpending(transaction, totalOf(usage), reserved)
  })
}

/**
 * Records the estimated cost of a request without an answer. If this fails, the tokens stay reserved until the end of
 * the day.
 */
async function recordUnanswered(
  { pool }: ModelAnswersDeps,
  { source, request }: PendingRequest,
  reserved: Reservation,
  error: unknown,
): Promise<void> {
  const used = tokensWithoutAnswer(request, error)
  if (used === 0 && !reserved) return
  await inTenant(pool, source.tenantId, (transaction) =>
    store.addSpending(transaction, used, reserved),
  ).catch(() => undefined)
}
