/** Scopes with their figures, as the contract writes them. */
import type { CountedScope, MetricsPoint, ScopeMetrics, StatusCounts } from '../app/scopes/scope-stats.ts'
import type { ScopeSummary } from '../app/scopes/scope-summary.ts'
import type { MetricsRequest } from '../domain/scope-metrics.ts'
import { toContradictionRecord } from './contradiction-records.ts'
import { toComparedRecord, toFiguresRecord, toShare } from './convergence-records.ts'
import { toScopeRecord } from './records.ts'

export function toListedScopeRecord(scope: CountedScope) {
  const { score, state } = scope.convergence
  return {
    ...toScopeRecord(scope),
    runtime: scope.runtime,
    documents: toCountsRecord(scope.documents),
    convergence: { score: toShare(score), state },
  }
}

export function toScopeSummaryRecord(scope: ScopeSummary) {
  const { documents, ...record } = toListedScopeRecord(scope)
  return {
    ...record,
    documents: { ...documents, oldest_queued_at: scope.oldestQueuedAt?.toISOString() ?? null },
    claims: { total: scope.claims },
    reading: { ...toReadingTotals(scope.convergence), left_out: { ...scope.leftOut } },
    contradictions: toFindingsRecord(scope),
    convergence: {
      ...toFiguresRecord(scope.convergence),
      ...toComparedRecord(scope.convergence),
      comparisons_pending: scope.convergence.comparisonsPending,
      comparisons_held: scope.convergence.comparisonsHeld,
      blockers: [...scope.blockers],
      blockers_total: scope.convergence.blockersTotal,
    },
    log_head: scope.logHead,
    last_activity_at: scope.lastActivityAt?.toISOString() ?? null,
  }
}

function toReadingTotals(figures: ScopeSummary['convergence']) {
  return {
    characters: figures.characters,
    characters_read: figures.charactersRead,
    documents_with_gaps: figures.gaps,
    ...toComparedRecord(figures),
  }
}

const NO_CONTRADICTIONS = {
  by_status: { open: 0, resolved: 0, dismissed: 0 },
  by_severity: { low: 0, medium: 0, high: 0, critical: 0 },
  by_relation: { conflict: 0, restatement: 0, change: 0 },
  by_kind: {
    money: 0,
    percent: 0,
    count: 0,
    measure: 0,
    ratio: 0,
    date: 0,
    duration: 0,
    version: 0,
    level: 0,
    status: 0,
    existence: 0,
    identity: 0,
    reported: 0,
  },
}

function toFindingsRecord({ contradictions, newest }: ScopeSummary) {
  const open = contradictions.filter(({ status }) => status === 'open')
  return {
    total: contradictions.reduce((sum, { count }) => sum + count, 0),
    by_status: { ...NO_CONTRADICTIONS.by_status, ...sumBy(contradictions, 'status') },
    by_severity: { ...NO_CONTRADICTIONS.by_severity, ...sumBy(open, 'severity') },
    by_relation: { ...NO_CONTRADICTIONS.by_relation, ...sumBy(open, 'relation') },
    by_kind: { ...NO_CONTRADICTIONS.by_kind, ...sumBy(open, 'kind') },
    newest: newest.map(toContradictionRecord),
  }
}

type Counted = ScopeSummary['contradictions'][number]

function sumBy(counted: readonly Counted[], name: 'status' | 'severity' | 'relation' | 'kind') {
  const sums: Record<string, number> = {}
  for (const each of counted) sums[each[name]] = (sums[each[name]] ?? 0) + each.count
  return sums
}

const NONE = {
  registered: 0,
  attached: 0,
  queued: 0,
  processing: 0,
  processed: 0,
  held: 0,
  failed: 0,
  superseded: 0,
  removed: 0,
}

function toCountsRecord(counts: StatusCounts): { total: number; by_status: typeof NONE } {
  return {
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    by_status: { ...NONE, ...counts },
  }
}

export function toMetricsRequest(query: {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly step: MetricsRequest['step']
}): MetricsRequest {
  return { from: toInstant(query.from), to: toInstant(query.to), step: query.step }
}

function toInstant(value: string | undefined): Date | undefined {
  return value === undefined ? undefined : new Date(value)
}

export function toMetricsRecord(
  scopeId: string,
  step: MetricsRequest['step'],
  { window, points }: ScopeMetrics,
) {
  return {
    scope_id: scopeId,
    from: window.from.toISOString(),
    to: window.to.toISOString(),
    step,
    points: points.map(toPointRecord),
  }
}

function toPointRecord(point: MetricsPoint) {
  return {
    at: point.at.toISOString(),
    accepted: point.accepted,
    processed: point.processed,
    failed: point.failed,
    queue_wait_ms: point.queueWaitMs,
    processing_ms: point.processingMs,
    contradictions: point.contradictions,
    convergence: point.convergence && {
      score: toShare(point.convergence.score),
      state: point.convergence.state,
    },
  }
}
