/**
 * Parses responses of chat completions: the answer of the model, or the reason why there is none. The text of an error
 * is examined and never passed on.
 */
import { ModelFailure } from '../domain/model.ts'
import type { ModelAnswer, ModelUsage } from '../domain/model.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

/** The parts of an error of the endpoint that are examined. */
export interface ErrorDetail {
  /** The status in the body, for endpoints that send errors with status 200. */
  readonly status: number | null
  /** `output_limit`: more output tokens were allowed than the model can give. */
  readonly kind: 'too_long' | 'output_limit' | 'filtered' | 'other'
  /** The parameter that the model does not accept. */
  readonly refusedParameter: string | null
}

/** Returns undefined if the body is not a JSON object. */
export function parseBody(body: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns undefined if the body has no error. vLLM sends `{"object": "error", …}`, all others `{"error": {…}}`. */
export function errorIn(body: JsonRecord | undefined): ErrorDetail | undefined {
  const error = body?.['object'] === 'error' ? body : body?.['error']
  if (error === undefined || error === null) return undefined
  const detail = isRecord(error) ? error : { message: error }
  const status = Number(detail['code'])
  return {
    status: status >= 400 && status < 600 ? status : null,
    kind: kindOf(detail),
    refusedParameter: refusedParameterOf(detail),
  }
}

function kindOf({ code, type, param, message }: JsonRecord): ErrorDetail['kind'] {
  const words = [code, type, param, message].filter((word) => typeof word === 'string').join('\n')
  if (/context[_ ](?:length|size|window)|\bn_ctx/i.test(words)) return 'too_long'
  if (/content_filter|content_policy|content management policy/i.test(words)) return 'filtered'
  return /max_(?:completion_|output_)?tokens/i.test(words) ? 'output_limit' : 'other'
}

function refusedParameterOf({ param, code, message }: JsonRecord): string | null {
  const quoted = /^Unsupported (?:parameter|value): '(\w+)'/.exec(
    typeof message === 'string' ? message : '',
  )?.[1]
  if (quoted !== undefined) return quoted
  const isUnsupported = typeof code === 'string' && code.startsWith('unsupported_')
  return isUnsupported && typeof param === 'string' ? param : null
}

/** Whether reasoning used up all output tokens. */
export interface UnfinishedThought {
  readonly thinkingUsage: ModelUsage
}

/** Throws a `ModelFailure` if the response has no answer. */
export function answerIn(
  body: JsonRecord | undefined,
  model: string,
  asked: string,
): ModelAnswer | UnfinishedThought {
  const { message, finishReason } = choiceIn(body)
  const content = contentOf(message['content'])
  const usage = usageIn(body?.['usage'], asked, content)
  const { refusal = null } = message
  if (finishReason === 'content_filter' || (refusal !== null && refusal !== ''))
    throw new ModelFailure('declined', null, usage)
  if (finishReason === 'length') {
    if (content === '' || hasThought(body?.['usage'])) return { thinkingUsage: usage }
    throw new ModelFailure('too_long', null, usage)
  }
  const named = body?.['model']
  return { content, model: typeof named === 'string' && named !== '' ? named : model, usage }
}

function choiceIn(body: JsonRecord | undefined): { message: JsonRecord; finishReason: unknown } {
  const choices = body?.['choices']
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const message = isRecord(choice) ? choice['message'] : undefined
  if (!isRecord(choice) || !isRecord(message)) throw new ModelFailure('server_error')
  return { message, finishReason: choice['finish_reason'] }
}

/** The content is a text or a list of parts; only text parts count. */
function contentOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}

const MAX_TOKENS = 10_000_000
const CHARACTERS_PER_TOKEN = 3

/** Returns the token counts of the endpoint if they are plausible, and a high estimate otherwise. */
function usageIn(usage: unknown, asked: string, content: string): ModelUsage {
  const { prompt_tokens: input, completion_tokens: output } = isRecord(usage) ? usage : {}
  const makesSense = isCount(input) && isCount(output) && input > 0
  return makesSense ? { inputTokens: input, outputTokens: output } : estimateUsage(asked, content)
}

function hasThought(usage: unknown): boolean {
  const details = isRecord(usage) ? usage['completion_tokens_details'] : undefined
  return isRecord(details) && Number(details['reasoning_tokens']) > 0
}

export function estimateUsage(asked: string, content: string): ModelUsage {
  return {
    inputTokens: Math.ceil(asked.length / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(content.length / CHARACTERS_PER_TOKEN),
  }
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
