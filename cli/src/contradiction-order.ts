/** The order in which a person looks at contradictions: what is open, what weighs most, what is surest. */
import type { Contradiction } from '@concord/client'
import { severities, statuses } from './choices.ts'

/** Open ones first; then by severity, then by confidence; a person's own report is as sure as can be. */
export function byWeight(one: Contradiction, other: Contradiction): number {
  return (
    statuses.indexOf(one.status) - statuses.indexOf(other.status) ||
    severities.indexOf(other.severity) - severities.indexOf(one.severity) ||
    (other.confidence ?? 1) - (one.confidence ?? 1) ||
    (one.contradiction_id < other.contradiction_id ? -1 : 1)
  )
}
