/** What went wrong, in words that say what to do next. */
import { problems } from '@concord/contract'
import { Fault } from '../domain/fault.ts'
import { isUnavailable } from '../app/failures.ts'

export function explainFailure(error: unknown): string {
  if (error instanceof Fault) return `${problems[error.code].title}. ${problems[error.code].detail}`
  if (isUnavailable(error))
    return 'The database cannot be reached; check DATABASE_URL and that Postgres is running.'
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${explainFailure(error.cause)}` : error.message
}
