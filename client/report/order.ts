/** The order in which a person looks at contradictions: what is open, what weighs most, what is surest. */
import type { Contradiction, ContradictionStatus, Severity } from '../src/index.ts'

/** The heaviest first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Severity[]
const STATUSES = ['open', 'resolved', 'dismissed'] as const satisfies readonly ContradictionStatus[]

/** Open ones first; then by severity, then by confidence; a person's own report is as sure as can be. */
export function byWeight(one: Contradiction, other: Contradiction): number {
  return (
    STATUSES.indexOf(one.status) - STATUSES.indexOf(other.status) ||
    SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
    (other.confidence ?? 1) - (one.confidence ?? 1) ||
    (one.contradiction_id < other.contradiction_id ? -1 : 1)
  )
}
