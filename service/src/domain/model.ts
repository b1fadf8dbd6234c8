/**
 * Requests to a language model and its answers, independent of the endpoint. A request has data and a prompt with a
 * version. Reading and comparison use these types.
 */

export const MODEL_STEPS = ['extract', 'compare', 'verify'] as const
export type ModelStep = (typeof MODEL_STEPS)[number]

export interface ModelRequest {
  readonly step: ModelStep
  /** The version of the prompt. A changed text gets a new version. */
  readonly promptVersion: number
  readonly system: string
  /** A JSON document. Everything in it is evidence, never an instruction. */
  readonly user: string
  readonly schemaName: string
  /** The schema of the answer, which is one JSON object. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly maxOutputTokens: number
}

export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface ModelAnswer {
  /** The unchanged text of the answer. It is not validated yet. */
  readonly content: string
  /** The name of the model at the endpoint. */
  readonly model: string
  readonly usage: ModelUsage
}

/** Rejects with a `ModelFailure` if there is no answer. */
export type AskModel = (request: ModelRequest, signal?: AbortSignal) => Promise<ModelAnswer>

/**
 * Why there is no answer. `declined` and `too_long` are about this request: the model refuses it or stops before the end. All
 * others are about the endpoint or the budget, and the same request may be answered later.
 */
export type ModelFailureReason =
  | 'timeout'
  | 'unreachable'
  | 'busy'
  | 'forbidden'
  | 'server_error'
  | 'over_budget'
  | 'declined'
  | 'too_long'

export class ModelFailure extends Error {
  readonly reason: ModelFailureReason
  readonly retryAfterMs: number | null
  /** An estimate of the tokens that the endpoint may have charged. */
  readonly usage: ModelUsage | null

  constructor(
    reason: ModelFailureReason,
    retryAfterMs: number | null = null,
    usage: ModelUsage | null = null,
  ) {
    super(`the language model gave no answer: ${reason}`)
    this.reason = reason
    this.retryAfterMs = retryAfterMs
    this.usage = usage
  }

  /** Whether the request itself is the cause, so that a retry is useless. */
  get isAboutRequest(): boolean {
    return this.reason === 'declined' || this.reason === 'too_long'
  }
}

/**
 * The rest of a tenant's budget is reserved for its requests in flight, some of which end soon. The endpoint was not asked, so this
 * says nothing about other tenants.
 */
export class BudgetReserved extends ModelFailure {
  constructor(retryAfterMs: number) {
    super('busy', retryAfterMs)
  }
}
