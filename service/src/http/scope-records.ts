/** Scopes with their figures, as the contract writes them. */
import type {
  CountedScope,
  MetricsPoint,
  ScopeMetrics,
  ScopeSummary,
  StatusCounts,
} from '../app/scope-figures.ts'
import type { MetricsRequest } from '../domain/scope-metrics.ts'
import { toScopeRecord } from './records.ts'

export function toListedScopeRecord(scope: CountedScope) {
  return { ...toScopeRecord(scope), runtime: scope.runtime, documents: toCountsRecord(scope.documents) }
}

export function toScopeSummaryRecord(scope: ScopeSummary) {
  const { documents, ...record } = toListedScopeRecord(scope)
  return {
    ...record,
    documents: { ...documents, oldest_queued_at: scope.oldestQueuedAt?.toISOString() ?? null },
    log_head: scope.logHead,
    last_activity_at: scope.lastActivityAt?.toISOString() ?? null,
  }
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
  }
}
