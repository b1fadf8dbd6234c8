/** Requests and responses of OpenAI's chat completions, as far as recorded answers need them. */
import { MODEL_STEPS } from '@concord/service/src/domain/model.ts'
import type { ModelStep } from '@concord/service/src/domain/model.ts'
import { chatHash } from '@concord/service/src/model/request-hash.ts'
import type { ChatMessage } from '@concord/service/src/model/request-hash.ts'

export interface ChatRequest {
  readonly hash: string
  /** Null where the name of the schema tells none. */
  readonly step: ModelStep | null
  /** The name of the model that the client asks for. */
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly schemaName: string | null
  readonly schema: unknown
}

export interface RecordedAnswer {
  /** Undefined where the answer does not say; the name in the request is used then. */
  readonly model: string | undefined
  /** Text is passed on unchanged, any other value as JSON. */
  readonly content: unknown
  readonly usage: TokenUsage | undefined
}

interface TokenUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

/** Tells the client what is wrong with its request. */
export class InvalidRequest extends Error {}

/** Throws `InvalidRequest`. */
export function parseChatRequest(text: string): ChatRequest {
  const body = parseObject(text)
  if (body['stream'] === true)
    throw new InvalidRequest('stream: recorded answers are not streamed; leave it out')
  const { messages } = body
  if (!Array.isArray(messages) || messages.length === 0)
    throw new InvalidRequest('messages: expected a list of at least one message')
  const { schemaName, schema } = schemaOf(body['response_format'])
  const chat = { messages: messages.map(parseMessage), schemaName, schema }
  const model = typeof body['model'] === 'string' ? body['model'] : 'unnamed'
  return { ...chat, hash: chatHash(chat), step: stepOf(schemaName), model }
}

function parseObject(text: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new InvalidRequest('the body is not JSON')
  }
  if (!isRecord(body)) throw new InvalidRequest('the body is not a JSON object')
  return body
}

function parseMessage(message: unknown): ChatMessage {
  if (!isRecord(message) || typeof message['role'] !== 'string')
    throw new InvalidRequest('messages: each message needs a role')
  return { role: message['role'], content: textOf(message['content']) }
}

/** The protocol allows a string or a list of parts; clients that send parts mean the same text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw new InvalidRequest('messages: content must be text')
  return content.map(partText).join('')
}

function partText(part: unknown): string {
  if (isRecord(part) && typeof part['text'] === 'string') return part['text']
  throw new InvalidRequest('messages: every part of a content must be text')
}

function schemaOf(format: unknown): { schemaName: string | null; schema: unknown } {
  const jsonSchema = isRecord(format) ? format['json_schema'] : undefined
  if (!isRecord(jsonSchema)) return { schemaName: null, schema: null }
  const { name, schema } = jsonSchema
  return { schemaName: typeof name === 'string' ? name : null, schema: schema ?? null }
}

/** `concord_compare_v1` and `concord_compare_within_v1` name the step `compare`. */
function stepOf(schemaName: string | null): ModelStep | null {
  const named = /^concord_(?<step>[a-z]+)(?:_within)?_v\d+$/.exec(schemaName ?? '')?.groups?.['step']
  return MODEL_STEPS.find((step) => step === named) ?? null
}

const CHARACTERS_PER_TOKEN = 4

/** The body of a 200 response. */
export function chatCompletion(request: ChatRequest, answer: RecordedAnswer): object {
  const content = typeof answer.content === 'string' ? answer.content : JSON.stringify(answer.content)
  const usage = answer.usage ?? estimateUsage(request, content)
  return {
    id: `recorded-${request.hash.slice(0, 16)}`,
    object: 'chat.completion',
    created: 0,
    model: answer.model ?? request.model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  }
}

function estimateUsage({ messages, schema }: ChatRequest, content: string): TokenUsage {
  const asked = messages.reduce((sum, message) => sum + message.content.length, 0)
  const schemaLength = schema === null ? 0 : JSON.stringify(schema).length
  return {
    prompt_tokens: Math.ceil((asked + schemaLength) / CHARACTERS_PER_TOKEN),
    completion_tokens: Math.ceil(content.length / CHARACTERS_PER_TOKEN),
  }
}

export function errorBody(type: string, message: string): object {
  return { error: { message, type, param: null, code: type } }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
