/**
 * Asks a language model on behalf of a scope. An answer is stored before it is used, so that the same request is paid for once in a
 * scope, also where the process dies right after; the requests of a tenant are bounded by its budget.
 */
import { ModelFailure } from '../../domain/model.ts'
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
  /** The model that is asked in this step. */
  readonly nameOf: (step: ModelStep) => string
  /** The limits of each tenant. */
  readonly limits: TokenLimits
}

export interface AskedPlace {
  readonly tenantId: string
  readonly scopeId: string
  /** The documents whose content is in the request: the answer is deleted with any of them. */
  readonly documentIds: readonly string[]
}

/** Rejects with a `ModelFailure` where there is no answer. */
export type AskForScope = (
  place: AskedPlace,
  request: ModelRequest,
  signal?: AbortSignal,
) => Promise<ModelAnswer>

/** Since the process started. */
export interface AnswerCounts {
  /** Requests whose answer was stored already. */
  readonly reused: Record<ModelStep, number>
  /** Requests that the budget of their tenant did not allow. */
  overBudget: number
}

export interface ModelAnswers {
  readonly ask: AskForScope
  readonly counts: AnswerCounts
}

/** One request on its way. */
interface Asking {
  readonly place: AskedPlace
  readonly request: ModelRequest
  readonly seal: ScopeSeal
  /** Keyed hash of the request and of the model that is asked. */
  readonly hash: Buffer
}

/** The tokens that are set aside for a request; undefined where there is no budget. */
type Reserved = { readonly day: string; readonly tokens: number } | undefined

/** Storing twice is harmless: the first answer stands. */
const STORING = { forMs: 60_000, maxPauseMs: 2_000, isWorthwhile: isUnavailable }
/** Requests in flight are what the budget waits for: some of them end soon. */
const RESERVED_MS = 10_000

export function createModelAnswers(deps: ModelAnswersDeps): ModelAnswers {
  const counts: AnswerCounts = { reused: { extract: 0, compare: 0, verify: 0 }, overBudget: 0 }
  const calls = createSharedCalls<ModelAnswer>()

  async function answer(asking: Asking, signal: AbortSignal): Promise<ModelAnswer> {
    const found = await inTenant(deps.pool, asking.place.tenantId, async (transaction) => {
      const stored = await findAnswer(transaction, asking)
      return stored ?? { reserved: await reserve(deps.limits, transaction, asking.request) }
    }).catch((error: unknown) => {
      if (error instanceof ModelFailure) counts.overBudget += 1
      throw error
    })
    if ('reserved' in found) return askEndpoint(asking, found.reserved, signal)
    counts.reused[asking.request.step] += 1
    return found
  }

  async function askEndpoint(asking: Asking, reserved: Reserved, signal: AbortSignal): Promise<ModelAnswer> {
    const { request } = asking
    try {
      const given = await deps.ask(request, signal)
      const usage = usageOf(request, given)
      const counted = { ...given, usage }
      await retry(() => keepAnswer(deps, asking, counted), STORING)
      await retry(() => countAnswer(deps, asking, reserved, usage), STORING)
      return counted
    } catch (error) {
      if (isUnavailable(error)) throw error
      await endUnanswered(deps, asking, reserved, error)
      throw error
    }
  }

  return {
    counts,
    async ask(place, request, signal) {
      const seal = await deps.seals.get(place.tenantId, place.scopeId)
      const hash = seal.fingerprint(['model answer', deps.nameOf(request.step), requestHash(request)])
      const key = [place.tenantId, place.scopeId, seal.epoch, hash.toString('hex')].join(' ')
      return calls.join(key, (shared) => answer({ place, request, seal, hash }, shared), signal)
    },
  }
}

const SEALED_AS = 'model answer'

async function findAnswer(
  transaction: TenantTransaction,
  { place: { scopeId }, seal, hash }: Asking,
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
): Promise<Reserved> {
  if (limits.perDay === undefined && limits.perMonth === undefined) return undefined
  const tokens = maxTokens(request)
  const reservation = await store.reserveTokens(transaction, tokens, limits)
  if (reservation.granted) return { day: reservation.day, tokens }
  throw new ModelFailure('over_budget', reservation.afterMs || RESERVED_MS)
}

/** An answer that is no JSON object is paid for and not stored: the same request may be answered better. */
async function keepAnswer(
  { pool }: ModelAnswersDeps,
  { place, request, seal, hash }: Asking,
  { content, model, usage }: ModelAnswer,
): Promise<void> {
  if (parseAnswer(content) === null) return
  const { step, promptVersion } = request
  const sealed = seal.seal(SEALED_AS, hash.toString('hex'), Buffer.from(content))
  await inTenant(pool, place.tenantId, (transaction) =>
    store.insertAnswer(transaction, {
      scopeId: place.scopeId,
      documentIds: place.documentIds,
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

/** In a transaction of its own: all requests of the tenant wait for the row of its budget, and storing waits for the scope. */
async function countAnswer(
  { pool, nameOf }: ModelAnswersDeps,
  { place, request: { step } }: Asking,
  reserved: Reserved,
  usage: ModelUsage,
): Promise<void> {
  await inTenant(pool, place.tenantId, async (transaction) => {
    await store.addUsage(transaction, { step, model: nameOf(step), ...usage })
    await store.addSpending(transaction, totalOf(usage), reserved)
  })
}

/** Where even this fails, the tokens stay reserved until the day ends. */
async function endUnanswered(
  { pool }: ModelAnswersDeps,
  { place, request }: Asking,
  reserved: Reserved,
  error: unknown,
): Promise<void> {
  const used = tokensWithoutAnswer(request, error)
  if (used === 0 && !reserved) return
  await inTenant(pool, place.tenantId, (transaction) => store.addSpending(transaction, used, reserved)).catch(
    () => undefined,
  )
}
