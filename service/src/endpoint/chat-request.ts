/** The body of a chat completion, in the dialect that a model understands. */
import { ModelFailure } from '../domain/model.ts'
import type { ModelRequest, ModelUsage } from '../domain/model.ts'
import { messagesOf } from '../model/request-hash.ts'
import type { ErrorDetail } from './chat-response.ts'

export type AnswerFormat = 'json_schema' | 'json_object'

/** The request format of a model. It is learned from refusals. */
export interface Dialect {
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens'
  readonly hasTemperature: boolean
  /** The maximum of output tokens that the model accepts. */
  readonly maxOutputTokens: number
  /** Output tokens for reasoning, in addition to the answer. */
  readonly thinkingTokens: number
}

/** The dialect of most servers. */
export const COMMON_DIALECT: Dialect = {
  tokenLimit: 'max_tokens',
  hasTemperature: true,
  maxOutputTokens: Infinity,
  thinkingTokens: 0,
}

export function chatBody(
  request: ModelRequest,
  model: string,
  format: AnswerFormat,
  dialect: Dialect,
): string {
  return JSON.stringify({
    model,
    messages: format === 'json_schema' ? messagesOf(request) : messagesWithSchema(request),
    [dialect.tokenLimit]: outputTokensOf(request, dialect),
    ...(dialect.hasTemperature && { temperature: 0 }),
    response_format: format === 'json_schema' ? schemaFormat(request) : { type: 'json_object' },
  })
}

function outputTokensOf(request: ModelRequest, { maxOutputTokens, thinkingTokens }: Dialect): number {
  return Math.min(request.maxOutputTokens + thinkingTokens, maxOutputTokens)
}

function schemaFormat({ schemaName: name, schema }: ModelRequest): object {
  return { type: 'json_schema', json_schema: { name, strict: true, schema } }
}

/** For an endpoint without schema support the schema is part of the prompt. */
function messagesWithSchema(request: ModelRequest): object[] {
  const schema = JSON.stringify(request.schema)
  const system = `${request.system}\n\nAnswer with one JSON object of this JSON schema, and nothing else:\n${schema}`
  return messagesOf({ ...request, system })
}

export interface AdjustedRequest {
  readonly request: ModelRequest
  readonly dialect: Dialect
}

const MIN_OUTPUT_TOKENS = 500

/** Returns another dialect for the same request; undefined if the error suggests none. */
export function adjustRequest(
  request: ModelRequest,
  dialect: Dialect,
  { kind, refusedParameter }: ErrorDetail,
): AdjustedRequest | undefined {
  if (refusedParameter === 'max_tokens' && dialect.tokenLimit === 'max_tokens')
    return { request, dialect: { ...dialect, tokenLimit: 'max_completion_tokens' } }
  if (refusedParameter === 'temperature' && dialect.hasTemperature)
    return { request, dialect: { ...dialect, hasTemperature: false } }
  // Some servers count the room for the answer as part of the context before they begin.
  const half = Math.floor(outputTokensOf(request, dialect) / 2)
  if (half < MIN_OUTPUT_TOKENS) return undefined
  if (kind === 'output_limit') return { request, dialect: { ...dialect, maxOutputTokens: half } }
  return kind === 'too_long' ? { request: { ...request, maxOutputTokens: half }, dialect } : undefined
}

const THINKING_TOKENS = 8_000

/** Adds output tokens for a model whose reasoning left none for the answer. Throws if it had them already. */
export function allowThinking(dialect: Dialect, used: ModelUsage): Dialect {
  if (dialect.thinkingTokens > 0) throw new ModelFailure('too_long', null, used)
  return { ...dialect, thinkingTokens: THINKING_TOKENS }
}
