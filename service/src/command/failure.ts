/** Explains a failure and what to do next. */
import { oneLine } from '@concord/cli/terminal'
import { problems } from '@concord/contract'
import { Fault } from '../domain/fault.ts'
import { isTimeout, isUnavailable } from '../app/failures.ts'

export function explainFailure(error: unknown): string {
  if (error instanceof Fault) {
    const fields =
      error.fields?.map(({ pointer, message }) => `\n  ${oneLine(`${pointer} ${message}`)}`) ?? []
    return `${problems[error.code].title}. ${problems[error.code].detail}${fields.join('')}`
  }
  if (isTimeout(error))
    return 'The database did not get it done in time: it has too much to do, or somebody holds what was asked for. Try again.'
  if (isUnavailable(error))
    return 'The database cannot be reached; check DATABASE_URL and that Postgres is running.'
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${explainFailure(error.cause)}` : error.message
}
