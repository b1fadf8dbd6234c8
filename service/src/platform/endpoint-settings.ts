/**
 * The settings of the two endpoints that workers may ask: the judge of pairs that rules leave open, and the language model that
 * reads documents. Both are off unless their address is set.
 */
import { z } from 'zod'
import { wholeNumber, wholeNumberOrNone } from './config-numbers.ts'

export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

const NO_ADDRESS =
  'must be an https:// address without user, password or query (http:// only to a loopback address)'

const endpointAddress = z.string().refine(isEndpointAddress, NO_ADDRESS).optional()
const modelName = z
  .string()
  .regex(/^[\w./:@+-]{1,120}$/, 'must be the name of a model: letters, digits and . / : @ + - _')
  .optional()
const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be one word')
  .optional()
const format = z.enum(['json_schema', 'json_object']).default('json_schema')

const MAX_TOKENS = 1_000_000_000_000

export const judgeSettings = {
  JUDGE_URL: endpointAddress,
  JUDGE_MODEL: modelName,
  JUDGE_API_KEY: apiKey,
  JUDGE_FORMAT: format,
  JUDGE_TIMEOUT_MS: wholeNumber(100, 300_000, 20_000),
  JUDGE_TOKENS_PER_DAY: wholeNumber(1, MAX_TOKENS, 200_000),
  JUDGE_CONCURRENCY: wholeNumber(1, 64, 2),
}

export const modelSettings = {
  MODEL_URL: endpointAddress,
  MODEL_NAME: modelName,
  MODEL_EXTRACT_NAME: modelName,
  MODEL_COMPARE_NAME: modelName,
  MODEL_VERIFY_NAME: modelName,
  MODEL_API_KEY: apiKey,
  MODEL_FORMAT: format,
  MODEL_TIMEOUT_MS: wholeNumber(100, 600_000, 120_000),
  MODEL_CONCURRENCY: wholeNumber(1, 2_000, 200),
  MODEL_REQUESTS_PER_MINUTE: wholeNumberOrNone(1, 1_000_000),
  MODEL_TOKENS_PER_MINUTE: wholeNumberOrNone(1, MAX_TOKENS),
  MODEL_TOKENS_PER_DAY: wholeNumberOrNone(1, MAX_TOKENS),
  MODEL_TOKENS_PER_MONTH: wholeNumberOrNone(1, MAX_TOKENS),
  MODEL_COMPARE_TOKENS: wholeNumber(1_000, 1_000_000, 24_000),
  MODEL_ISOLATION: z.enum(['suspected', 'all']).default('suspected'),
}

function isEndpointAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, search } = new URL(value)
  if (username + password + search !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(value))
}

/** Whether the address leads to this machine and no further. */
export function isLoopback(url = ''): boolean {
  return URL.canParse(url) && LOOPBACK.has(new URL(url).hostname.replaceAll(/[[\]]/g, ''))
}

/** An endpoint needs both its address and the name of its model. */
export function findHalfEndpoints(environment: Readonly<Record<string, string | undefined>>): string[] {
  return [
    ...findHalf(environment, 'JUDGE_URL', 'JUDGE_MODEL'),
    ...findHalf(environment, 'MODEL_URL', 'MODEL_NAME'),
  ]
}

function findHalf(
  environment: Readonly<Record<string, string | undefined>>,
  url: string,
  name: string,
): string[] {
  if (environment[url] && !environment[name]) return [`${name} is required when ${url} is set`]
  return environment[name] && !environment[url] ? [`${url} is required when ${name} is set`] : []
}
