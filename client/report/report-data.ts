/** Everything that a report on a scope tells, as records of the API; its JSON form is this and nothing else. */
import type { Contradiction, Convergence, Decision, Document, ScopeSummary } from '../src/index.ts'
import { byWeight } from './order.ts'

export interface ReportData {
  readonly generated_at: string
  readonly summary: ScopeSummary
  readonly convergence: Convergence
  /** Open ones first, by severity and confidence. */
  readonly contradictions: readonly Contradiction[]
  /** Decisions about contradictions, newest first. */
  readonly decisions: readonly Decision[]
  readonly documents: readonly Document[]
  readonly left_out: LeftOut
}

/** A report has bounds; an export has none. */
export interface LeftOut {
  readonly contradictions: number
  readonly documents: number
  /** Older decisions are left out. */
  readonly decisions: boolean
}

/** The same data however they were read: in order, without what nothing in a report rests on. */
export function arrangeReport(read: Omit<ReportData, 'left_out'> & { left_out?: LeftOut }): ReportData {
  return {
    ...read,
    contradictions: read.contradictions.toSorted(byWeight),
    decisions: read.decisions.filter(({ contradiction_id: id }) => id !== null),
    documents: read.documents.filter(({ status }) => status !== 'removed'),
    left_out: read.left_out ?? { contradictions: 0, documents: 0, decisions: false },
  }
}

export function titleOf({ summary }: ReportData): string {
  return summary.display_name ?? summary.scope_id
}
