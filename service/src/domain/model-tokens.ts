/** Estimates the tokens of a request, before it is sent or if the endpoint does not report them. */
import { ModelFailure } from './model.ts'
import type { ModelAnswer, ModelRequest, ModelUsage } from './model.ts'

/** A high estimate for every language: a token is rarely shorter than three bytes. */
const BYTES_PER_TOKEN = 3

function promptTokens({ system, user, schema }: ModelRequest): number {
  const bytes = Buffer.byteLength(system) + Buffer.byteLength(user) + JSON.stringify(schema).length
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}

/** The maximum cost of a request. */
export function maxTokens(request: ModelRequest): number {
  return promptTokens(request) + request.maxOutputTokens
}

export function totalOf({ inputTokens, outputTokens }: ModelUsage): number {
  return inputTokens + outputTokens
}

/**
 * Estimates the cost of a request without an answer: the endpoint may charge for a request that timed out or was
 * interrupted.
 */
export function tokensWithoutAnswer(request: ModelRequest, error: unknown): number {
  if (error instanceof ModelFailure && error.usage) return totalOf(error.usage)
  const reason = error instanceof ModelFailure ? error.reason : 'timeout'
  if (reason === 'too_long') return maxTokens(request)
  return reason === 'timeout' || reason === 'declined' ? promptTokens(request) : 0
}

const MAX_COUNTED = 10_000_000

function isPlausible(tokens: number): boolean {
  return Number.isInteger(tokens) && tokens >= 0 && tokens <= MAX_COUNTED
}

/** Returns the counts of the endpoint if they are plausible, and an estimate otherwise. */
export function usageOf(request: ModelRequest, { content, usage }: ModelAnswer): ModelUsage {
  if (isPlausible(usage.inputTokens) && isPlausible(usage.outputTokens) && totalOf(usage) > 0) return usage
  return {
    inputTokens: promptTokens(request),
    outputTokens: Math.ceil(Buffer.byteLength(content) / BYTES_PER_TOKEN),
  }
}
