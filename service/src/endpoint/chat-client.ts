/** Sends one chat completion. Between requests it keeps only the dialect of each model. */
import { ModelFailure } from '../domain/model.ts'
import type { ModelAnswer, ModelRequest, ModelUsage } from '../domain/model.ts'
import { adjustRequest, allowThinking, chatBody, COMMON_DIALECT } from './chat-request.ts'
import type { AdjustedRequest, AnswerFormat, Dialect } from './chat-request.ts'
import { answerIn, errorIn, estimateUsage, parseBody } from './chat-response.ts'
import type { ErrorDetail } from './chat-response.ts'
import { failureOfStatus, isRefusalStatus, parseRetryAfter } from './failures.ts'
import { createConnections, ResponseTooLong } from './post.ts'
import type { PostResponse } from './post.ts'

export interface ChatClientSettings {
  /** The base URL, without `/chat/completions`. */
  readonly url: string
  readonly apiKey: string | undefined
  readonly format: AnswerFormat
  readonly timeoutMs: number
}

/** The endpoint refused the request without a reason. The cause may be the request or the configuration. */
export class UnexplainedRefusal extends Error {}

export interface ChatClient {
  /** Throws `ModelFailure`, `UnexplainedRefusal`, or the reason of the signal. */
  send(request: ModelRequest, model: string, signal?: AbortSignal): Promise<ModelAnswer>
  close(): void
}

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

export function createChatClient({ url, apiKey, format, timeoutMs }: ChatClientSettings): ChatClient {
  const address = new URL(`${url.replace(/\/+$/, '')}/chat/completions`)
  const connections = createConnections(address.protocol, MAX_RESPONSE_BYTES)
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const dialects = new Map<string, Dialect>()

  async function post(body: string, signal?: AbortSignal): Promise<PostResponse> {
    const limit = limitTime(timeoutMs, signal)
    const headers = { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` }
    try {
      return await connections.post({
        url: address,
        headers: { ...headers, accept: 'application/json', ...authorization },
        body,
        signal: limit.signal,
      })
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof ResponseTooLong) throw new ModelFailure('too_long', null, estimateUsage(body, ''))
      // An endpoint that timed out may have worked on the request and charged for it.
      if (limit.signal.aborted) throw new ModelFailure('timeout', null, estimateUsage(body, ''))
      // The cause is not passed on: its message may quote headers.
      throw new ModelFailure('unreachable')
    } finally {
      limit.clear()
    }
  }

  async function attempt({ request, dialect }: AdjustedRequest, model: string, signal?: AbortSignal) {
    const sent = chatBody(request, model, format, dialect)
    const response = await post(sent, signal)
    const body = parseBody(response.body)
    const error = errorIn(body)
    if (response.status === 200 && error === undefined) return answerIn(body, model, sent)
    const next = error && adjustRequest(request, dialect, error)
    if (next === undefined) throw errorOf(response, error)
    return { next }
  }

  async function send(request: ModelRequest, model: string, signal?: AbortSignal): Promise<ModelAnswer> {
    const known = dialects.get(model) ?? COMMON_DIALECT
    let asked: AdjustedRequest = { request, dialect: known }
    let thinkingUsage: ModelUsage | null = null
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- each attempt is asked as the one before teaches
      const result = await attempt(asked, model, signal)
      if ('content' in result) {
        // The dialect is kept only after a success. An error may quote a document, and no document may change the
        // requests of others.
        if (asked.dialect !== known) dialects.set(model, asked.dialect)
        return thinkingUsage ? { ...result, usage: addUsage(result.usage, thinkingUsage) } : result
      }
      if ('thinkingUsage' in result) {
        ;({ thinkingUsage } = result)
        asked = { request, dialect: allowThinking(asked.dialect, thinkingUsage) }
      } else asked = result.next
    }
  }

  return { send, close: connections.close }
}

function errorOf({ status: sent, headers }: PostResponse, error: ErrorDetail | undefined): Error {
  const status = sent < 300 ? (error?.status ?? 500) : sent
  if (error?.kind === 'too_long' && status !== 429) return new ModelFailure('too_long')
  if (error?.kind === 'filtered') return new ModelFailure('declined')
  if (isRefusalStatus(status)) return new UnexplainedRefusal()
  return new ModelFailure(failureOfStatus(status), parseRetryAfter(headers['retry-after']))
}

function addUsage(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  }
}

/** Aborts after the timeout, or with the signal of the caller. `clear` ends both, so that neither keeps the request in memory. */
function limitTime(timeoutMs: number, signal?: AbortSignal): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted === true) abort()
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}
