/** Explains a failure between here and the service, in words that say what to do next. */
import { ConcordError, ConcordProblem, ConnectionFailed, TimedOut, UnexpectedAnswer } from '@concord/client'

/** The advice for a command line, by problem code, where the service names a route. */
const COMMANDS: Readonly<Record<string, string>> = {
  scope_not_found:
    'Create it with concord scopes create SCOPE, or look for a typing mistake: concord scopes list.',
}

/** Undefined where it did not come from the client. */
export function explainAnswer(error: unknown): string | undefined {
  if (error instanceof ConcordProblem) {
    const fields = error.errors.map(({ pointer, message }) => `\n  ${pointer} ${message}`)
    return `${error.title}. ${COMMANDS[error.code] ?? error.detail}${fields.join('')}`
  }
  if (error instanceof ConnectionFailed)
    return `The service cannot be reached: ${causeOf(error)}. Check the address (concord init) and that it runs.`
  if (error instanceof TimedOut) return `The service did not answer in time: ${error.message}`
  if (error instanceof UnexpectedAnswer)
    return `${error.message}. Something else than Concord may be at this address.`
  return error instanceof ConcordError ? error.message : undefined
}

export function explainFailure(error: unknown): string {
  return explainAnswer(error) ?? (error instanceof Error ? error.message : String(error))
}

/** The innermost words: those of the operating system. */
function causeOf(error: Error): string {
  if (error.cause instanceof Error) return causeOf(error.cause)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
