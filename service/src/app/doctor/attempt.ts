/** Runs checks on a part that may be away. If it does not answer, the error becomes a failed check. */
import { failed } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'

/** The error messages of Postgres and NATS contain no address, password or key, so they may be shown. */
export async function attempt(name: string, advice: string, ask: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await ask()
  } catch (error) {
    return [failed(name, messageOf(error), advice)]
  }
}

/** If a name has several addresses, only the error of each address says why it failed. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
