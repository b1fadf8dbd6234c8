/** What went wrong with a question: whether the answer was none, or there was no answer. Told in closed words, never in theirs. */
import { APICallError, NoObjectGeneratedError, NoOutputGeneratedError } from 'ai'
import type { JudgeFailure, Refusal } from '../domain/judge.ts'
import { AnswerTooLong } from './bounded-fetch.ts'

/** The question itself was turned down, as by a filter of content, or by a limit of length. */
const DECLINED: ReadonlySet<number> = new Set([400, 413, 422])

export function refusalOf(error: unknown): Refusal | undefined {
  if (isCausedBy(error, (cause) => cause instanceof AnswerTooLong)) return 'too_long'
  if (NoObjectGeneratedError.isInstance(error) || NoOutputGeneratedError.isInstance(error)) return 'malformed'
  if (!APICallError.isInstance(error)) return undefined
  const { statusCode } = error
  if (statusCode === undefined) return undefined
  if (DECLINED.has(statusCode)) return 'declined'
  return statusCode < 300 && !wasCutOff(error) ? 'malformed' : undefined
}

/** The connection ended before the answer did. */
function wasCutOff(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof TypeError || isAborted(cause))
}

export function failureOf(error: unknown): JudgeFailure {
  if (isCausedBy(error, isAborted)) return 'timeout'
  const statusCode = APICallError.isInstance(error) ? error.statusCode : undefined
  if (statusCode === undefined || statusCode < 300) return 'unreachable'
  if (statusCode === 429) return 'busy'
  if (statusCode >= 500 || statusCode === 408) return 'server_error'
  return 'forbidden'
}

function isAborted(cause: unknown): boolean {
  return cause instanceof Error && (cause.name === 'AbortError' || cause.name === 'TimeoutError')
}

function isCausedBy(error: unknown, is: (cause: unknown) => boolean): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (is(cause)) return true
  return false
}
