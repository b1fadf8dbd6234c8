/** Says in the log that claims could not be compared. The message of an error may quote them, so its class must do. */
import type { OnCompareError } from '../app/comparing/comparison.ts'
import type { Log } from '../platform/log.ts'

export function noteTrouble(log: Log): OnCompareError {
  return (error) =>
    log.warn(
      { fault: error instanceof Error ? error.constructor.name : typeof error },
      'claims were not compared',
    )
}
