/**
 * Classifies errors of a question: a refusal is an unusable answer, a failure is no answer. The messages of the
 * endpoint are never used.
 */
import { APICallError, NoObjectGeneratedError, NoOutputGeneratedError } from 'ai'
import type { JudgeFailure, Refusal } from '../domain/judge.ts'
import { failureOfStatus, isAbort, isCausedBy, isRefusalStatus } from '../endpoint/failures.ts'
import { AnswerTooLong } from './bounded-fetch.ts'

export function refusalOf(error: unknown): Refusal | undefined {
  if (isCausedBy(error, (cause) => cause instanceof AnswerTooLong)) return 'too_long'
  if (NoObjectGeneratedError.isInstance(error) || NoOutputGeneratedError.isInstance(error)) return 'malformed'
  if (!APICallError.isInstance(error)) return undefined
  const { statusCode } = error
  if (statusCode === undefined) return undefined
  if (isRefusalStatus(statusCode)) return 'declined'
  return statusCode < 300 && !wasCutOff(error) ? 'malformed' : undefined
}

/** Whether the connection ended before the answer was complete. */
function wasCutOff(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof TypeError || isAbort(cause))
}

export function failureOf(error: unknown): JudgeFailure {
  if (isCausedBy(error, isAbort)) return 'timeout'
  const statusCode = APICallError.isInstance(error) ? error.statusCode : undefined
  if (statusCode === undefined || statusCode < 300) return 'unreachable'
  return failureOfStatus(statusCode)
}
