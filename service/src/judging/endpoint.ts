/**
 * Asks the judge over the protocol of OpenAI's chat completions. One question is one request with a timeout. The result
 * is either an answer that matches the schema and quotes both statements literally, or no answer.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, NoObjectGeneratedError, Output } from 'ai'
import type { LanguageModelUsage } from 'ai'
import { z } from 'zod'
import { hasGenuineQuotes, VERDICTS } from '../domain/judge.ts'
import type { JudgeResponse, Question } from '../domain/judge.ts'
import { parseRetryAfter } from '../endpoint/failures.ts'
import { failureOf, refusalOf } from './failures.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { INSTRUCTIONS, putQuestion } from './prompt.ts'

export interface EndpointSettings {
  readonly url: string
  readonly model: string
  readonly apiKey: string | undefined
  readonly timeoutMs: number
  /** Whether the endpoint supports a JSON schema, or only JSON. */
  readonly format: 'json_schema' | 'json_object'
}

export interface Endpoint {
  /** Never rejects. */
  ask(question: Question, signal?: AbortSignal): Promise<JudgeResponse>
  /** An estimate of the maximum number of tokens of a question. */
  priceOf(question: Question): number
}

/** Enough for a verdict and two quotes, and for the text of models that reason aloud. */
const MAX_OUTPUT_TOKENS = 1_000

const schema = z.strictObject({
  quote_a: z.string().max(1_000),
  quote_b: z.string().max(1_000),
  verdict: z.enum(VERDICTS),
})

export function createEndpoint({ url, model, apiKey, timeoutMs, format }: EndpointSettings): Endpoint {
  // The library would write warnings about the endpoint to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const provider = createOpenAICompatible({
    name: 'judge',
    baseURL: url.replace(/\/+$/, ''),
    ...(apiKey !== undefined && { apiKey }),
    supportsStructuredOutputs: format === 'json_schema',
    fetch: boundedFetch,
  })
  const output = Output.object({ schema, name: 'verdict' })

  async function generate(question: Question, signal: AbortSignal) {
    const { output: verdict, usage } = await generateText({
      model: provider(model),
      instructions: INSTRUCTIONS,
      prompt: putQuestion(question),
      output,
      temperature: 0,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      maxRetries: 0,
      abortSignal: signal,
      telemetry: { isEnabled: false },
    })
    return { answer: { verdict: verdict.verdict, quoteA: verdict.quote_a, quoteB: verdict.quote_b }, usage }
  }

  return {
    priceOf: (question) => promptTokens(question) + MAX_OUTPUT_TOKENS,
    async ask(question, signal) {
      const limit = AbortSignal.timeout(timeoutMs)
      try {
        const { answer, usage } = await generate(question, signal ? AbortSignal.any([limit, signal]) : limit)
        const tokens = tokensOf(usage, question)
        return hasGenuineQuotes(question, answer)
          ? { kind: 'answered', answer, tokens }
          : { kind: 'refused', why: 'misquoted', tokens }
      } catch (error) {
        return judgeError(error, question, limit)
      }
    },
  }
}

function judgeError(error: unknown, question: Question, limit: AbortSignal): JudgeResponse {
  const why = refusalOf(error)
  if (why !== undefined && !limit.aborted)
    return { kind: 'refused', why, tokens: tokensOf(usageOf(error), question) }
  const failure = limit.aborted ? 'timeout' : failureOf(error)
  // A model that timed out may have used tokens for reasoning.
  const tokens = failure === 'timeout' ? promptTokens(question) : 0
  return { kind: 'failed', why: failure, tokens, retryAfterMs: retryAfterOf(error) }
}

function usageOf(error: unknown): LanguageModelUsage | undefined {
  return NoObjectGeneratedError.isInstance(error) ? error.usage : undefined
}

const MAX_TOKENS = 1_000_000

/** Returns the token count of the endpoint if it is plausible, and a high estimate otherwise. */
function tokensOf(usage: LanguageModelUsage | undefined, question: Question): number {
  const { inputTokens, outputTokens, totalTokens } = usage ?? {}
  const counted = totalTokens ?? (inputTokens ?? 0) + (outputTokens ?? 0)
  const isPlausible = Number.isInteger(counted) && counted > 0 && counted <= MAX_TOKENS
  return isPlausible ? counted : promptTokens(question) + ANSWER_TOKENS
}

const ANSWER_TOKENS = 150
const CHARACTERS_A_TOKEN = 3

function promptTokens(question: Question): number {
  return Math.ceil((INSTRUCTIONS.length + putQuestion(question).length) / CHARACTERS_A_TOKEN)
}

function retryAfterOf(error: unknown): number | null {
  if (!APICallError.isInstance(error)) return null
  return parseRetryAfter(error.responseHeaders?.['retry-after'])
}
