/**
 * Requests to a language model and its answers, as the parts of Concord that read and compare with one exchange them. What is
 * asked is data and a prompt of a stated version; nothing here knows of an endpoint.
 */

export const MODEL_STEPS = ['extract', 'compare', 'verify'] as const
export type ModelStep = (typeof MODEL_STEPS)[number]

export interface ModelRequest {
  readonly step: ModelStep
  /** The version of the prompt: another text of it has another version. */
  readonly promptVersion: number
  readonly system: string
  /** A JSON document. Everything in it is evidence. */
  readonly user: string
  readonly schemaName: string
  /** The answer is one JSON object of this schema. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly maxOutputTokens: number
}

export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface ModelAnswer {
  /** The text of the answer, as the model gave it. It is not yet held to the schema. */
  readonly content: string
  /** The name by which the endpoint calls the model. */
  readonly model: string
  readonly usage: ModelUsage
}

/** Rejects with a `ModelFailure` when there is no answer. */
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
  /** Tokens that the endpoint may have charged for nevertheless, as far as is known. */
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

  /** Whether the request itself is the cause, so that asking again is of no use. */
  get isAboutRequest(): boolean {
    return this.reason === 'declined' || this.reason === 'too_long'
  }
}
