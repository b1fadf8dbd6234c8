/** Everything that a report on a scope tells, read over the API. */
import type { Concord, Contradiction, Convergence, Decision, Document, ScopeSummary } from '@concord/client'
import { byWeight } from '../contradiction-order.ts'
import { takeFirst } from '../listing.ts'

export interface CaseData {
  readonly generatedAt: string
  readonly summary: ScopeSummary
  readonly convergence: Convergence
  /** Open ones first, by severity and confidence. */
  readonly contradictions: readonly Contradiction[]
  /** Decisions about contradictions, newest first. */
  readonly decisions: readonly Decision[]
  readonly documents: readonly Document[]
}

const ALL = { limit: Number.POSITIVE_INFINITY }

/** Documents that were replaced or removed are not in it: nothing in the report rests on them. */
export async function readCase(concord: Concord, scopeId: string, now: Date): Promise<CaseData> {
  const [summary, convergence, contradictions, decisions, documents] = await Promise.all([
    concord.getOwnScope({ scopeId }),
    concord.getOwnScopeConvergence({ scopeId }),
    takeFirst(concord.listContradictions.all({ scopeId, limit: 100 }), ALL),
    takeFirst(concord.listDecisions.all({ scopeId, limit: 100 }), ALL),
    takeFirst(concord.listDocuments.all({ scopeId, limit: 100 }), ALL),
  ])
  return {
    generatedAt: now.toISOString(),
    summary,
    convergence,
    contradictions: contradictions.items.toSorted(byWeight),
    decisions: decisions.items.filter(({ contradiction_id: id }) => id !== null),
    documents: documents.items.filter(({ status }) => status !== 'removed'),
  }
}

export function titleOf({ summary }: CaseData): string {
  return summary.display_name ?? summary.scope_id
}
