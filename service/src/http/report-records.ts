/** The content of a report as records of the contract, checked like every answer. */
import { Report } from '@concord/contract'
import type { LeftOut } from '@concord/client/report'
import type { ReportContent } from '../app/scopes/report.ts'
import { toContradictionRecord } from './contradiction-records.ts'
import { toConvergenceRecord } from './convergence-records.ts'
import { toDecisionRecord } from './decision-records.ts'
import { toDocumentRecord } from './document-records.ts'
import { toScopeSummaryRecord } from './scope-records.ts'

export function toReportData(scopeId: string, content: ReportContent, now: Date) {
  const { summary, convergence, contradictions, decisions, documents } = content
  return Report.parse({
    generated_at: now.toISOString(),
    summary: toScopeSummaryRecord(summary),
    convergence: toConvergenceRecord(scopeId, convergence),
    contradictions: contradictions.map(toContradictionRecord),
    decisions: decisions.items.map((decision) => toDecisionRecord(scopeId, decision)),
    documents: documents.items.map(toDocumentRecord),
    left_out: leftOutOf(content),
  })
}

/** Contradictions may come and go while the pages are read, so their number is never less than none. */
function leftOutOf({ summary, contradictions, decisions, documents }: ReportContent): LeftOut {
  const found = summary.contradictions.reduce((sum, { count }) => sum + count, 0)
  const listed = toScopeSummaryRecord(summary).documents.total
  return {
    contradictions: Math.max(0, found - contradictions.length),
    documents: documents.more ? Math.max(1, listed - documents.items.length) : 0,
    decisions: decisions.more,
  }
}
