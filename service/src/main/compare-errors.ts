/** Logs that claims could not be compared. The log has the class of the error, because its message may quote claims. */
import type { OnCompareError } from '../app/comparing/comparison.ts'
import type { Log } from '../platform/log.ts'

export function logCompareErrors(log: Log): OnCompareError {
  return (error) =>
    log.warn(
      { fault: error instanceof Error ? error.constructor.name : typeof error },
      'claims were not compared',
    )
}
