/** The error message and the exit code of a failed command. Loaded only after a failure. */
import { explainAnswer } from '@concord/cli'
import { stripControls } from '@concord/cli/terminal'
import { Rejected } from '../command/certificates.ts'
import { Unconfirmed } from '../command/confirmation.ts'
import { explainFailure } from '../command/failure.ts'

export function explain(error: unknown): string {
  return stripControls(explainAnswer(error) ?? explainFailure(error))
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Unconfirmed) return Unconfirmed.exitCode
  return error instanceof Rejected ? Rejected.exitCode : 1
}
