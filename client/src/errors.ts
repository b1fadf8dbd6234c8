/** Everything a call can reject with, beside the reason of a signal of yours. */
import type { DocumentDetail, DocumentStatus, Problem, ProblemCode } from './generated/schemas.ts'

/** The base class of all errors of this package. */
export class ConcordError extends Error {
  override readonly name: string = 'ConcordError'
}

/**
 * The service answered with a problem (RFC 9457). `code` is one of a closed list; `message` says what to do next.
 *
 * @example
 * try {
 *   await concord.ingestDocument({ scope_id: 'first-case', name: '', text: 'A text.' })
 * } catch (error) {
 *   if (!(error instanceof ConcordProblem)) throw error
 *   console.log(error.code, error.requestId)
 *   for (const { pointer, message } of error.errors) console.log(pointer, message)
 * }
 */
export class ConcordProblem extends ConcordError {
  override readonly name = 'ConcordProblem'
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  /** The next step. */
  readonly detail: string
  /** Which fields are wrong, where `code` is `validation_failed`. */
  readonly errors: NonNullable<Problem['errors']>
  /** Quote it when you report a fault. */
  readonly requestId: string
  /** When the service asked to be asked again, in milliseconds from the answer. */
  readonly retryAfterMs: number | undefined

  constructor(problem: Problem, retryAfterMs?: number) {
    super(`${problem.code} (${problem.status}): ${problem.title}. ${problem.detail}`)
    this.code = problem.code
    this.status = problem.status
    this.title = problem.title
    this.detail = problem.detail
    this.errors = problem.errors ?? []
    this.requestId = problem.request_id
    this.retryAfterMs = retryAfterMs
  }
}

/** Something between you and the service answered in its place, or the service is another than this client knows. */
export class UnexpectedAnswer extends ConcordError {
  override readonly name = 'UnexpectedAnswer'
  readonly status: number
  /** The text of the answer. For a redirect it names the address that the redirect points to. */
  readonly text: string
  /** When it asked to be asked again, in milliseconds from the answer. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, text: string, retryAfterMs?: number) {
    super(`The answer ${status} is none that the service gives here: ${text.slice(0, 200)}`)
    this.status = status
    this.text = text
    this.retryAfterMs = retryAfterMs
  }
}

/** No answer came, or it broke off; `cause` says why. The service may have done what was asked. */
export class ConnectionFailed extends ConcordError {
  override readonly name = 'ConnectionFailed'
}

/** The time was over; `cause` is what the last attempt met. */
export class TimedOut extends ConcordError {
  override readonly name = 'TimedOut'
}

/** The client was made without a key that this operation needs. Nothing was sent. */
export class CredentialMissing extends ConcordError {
  override readonly name = 'CredentialMissing'
}

/** A document that was waited for came to another end than `processed`. */
export class DocumentNotProcessed extends ConcordError {
  override readonly name = 'DocumentNotProcessed'
  readonly status: DocumentStatus
  /** The document as it stands now; undefined where it is gone. */
  readonly document: DocumentDetail | undefined

  constructor(documentId: string, status: DocumentStatus, document: DocumentDetail | undefined) {
    const why = status === 'failed' && document?.error ? `: ${document.error.message}` : ''
    super(`The document ${documentId} is ${status}${why}`)
    this.status = status
    this.document = document
  }
}

/**
 * Whether this is a problem that the service told, and if codes are named, one of those.
 *
 * @example
 * try {
 *   await concord.getOwnScope({ scopeId: 'no-such-scope' })
 * } catch (error) {
 *   if (!isProblem(error, 'scope_not_found')) throw error
 *   console.log('make the scope first')
 * }
 */
export function isProblem<const Code extends ProblemCode = ProblemCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ConcordProblem & { readonly code: Code } {
  if (!(error instanceof ConcordProblem)) return false
  return codes.length === 0 || codes.some((code) => code === error.code)
}
