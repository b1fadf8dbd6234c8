/** Instants as they come over the wire. */
import { Fault } from '../domain/fault.ts'

/** A key that is born expired is a mistake, and the caller should hear of it now rather than at the first 401. */
export function futureInstant(value: string | undefined): Date | null {
  if (value === undefined) return null
  const instant = new Date(value)
  if (instant.getTime() > Date.now()) return instant
  throw new Fault('validation_failed', {
    fields: [{ pointer: '#/expires_at', code: 'not_in_future', message: 'Send an instant in the future.' }],
  })
}
