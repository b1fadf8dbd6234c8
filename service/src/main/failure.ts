/** How the command line says that something could not be done, and the exit code that it ends with. Loaded after a failure only. */
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
