/** A question to a part that may be away: what it would have told is then told by its silence. */
import { failed } from '../../domain/checkup.ts'
import type { Check } from '../../domain/checkup.ts'

/** Neither side puts a secret into its messages: no address, no password, no key. */
export async function attempt(name: string, advice: string, ask: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await ask()
  } catch (error) {
    return [failed(name, messageOf(error), advice)]
  }
}

/** Several addresses of one name fail together, and only each by itself says why. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
