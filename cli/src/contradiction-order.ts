/** The order in which a person looks at contradictions: what is open, then by severity and confidence. */
import type { Concord, Contradiction, ContradictionStatus, ListContradictionsInput } from '@concord/client'
import { statuses } from './choices.ts'

/** Open ones first, each status by severity and confidence; no more is read than is taken. */
export async function* mostSevereFirst(
  concord: Concord,
  wanted: readonly ContradictionStatus[] = statuses,
  query: ListContradictionsInput,
): AsyncGenerator<Contradiction> {
  for (const status of statuses.filter((each) => wanted.includes(each)))
    yield* concord.listContradictions.all({ ...query, status, order: 'severity' })
}
