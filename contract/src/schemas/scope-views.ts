/** A scope at a glance and over time, and what is left of it after a reset. */
import { z } from 'zod'
import { recordOf } from '../keys.ts'
import { Contradiction, ContradictionKind, Severity } from './contradictions.ts'
import { Share } from './claims.ts'
import { Convergence } from './convergence.ts'
import { DocumentStatus } from './documents.ts'
import { Count, ScopeId, Seq, Timestamp } from './identity.ts'
import { RuntimeState } from './runtime.ts'

/**
 * A count for every name, so that a reader need not ask whether one is there.
 * Instants, not ages: an age would change the ETag of a scope in which nothing happens.
 */
export const ScopeSummary = z
  .strictObject({
    scope_id: ScopeId,
    display_name: z.string().nullable(),
    epoch: Count,
    created_at: Timestamp,
    runtime: z.strictObject({ own: RuntimeState, effective: RuntimeState }),
    documents: z.strictObject({
      total: Count,
      by_status: z.strictObject(recordOf(DocumentStatus.options, Count)),
      oldest_queued_at: Timestamp.nullable(),
    }),
    claims: Count,
    contradictions: z.strictObject({
      open: Count,
      resolved: Count,
      dismissed: Count,
      by_severity: z.strictObject(recordOf(Severity.options, Count)),
      by_kind: z.strictObject(recordOf(ContradictionKind.options, Count)),
    }),
    convergence: Convergence,
    log_head: Seq.nullable().meta({ description: 'Null while the log is empty.' }),
    newest_contradictions: z.array(Contradiction).max(5),
  })
  .meta({ id: 'ScopeSummary' })

const Step = z.enum(['1m', '5m', '15m', '1h', '1d'])

export const metricsQuery = z.strictObject({
  from: Timestamp.optional().meta({ description: 'A day before `to` when left out.' }),
  to: Timestamp.optional().meta({ description: 'Now when left out.' }),
  step: Step.default('5m').meta({ description: 'Width of a point; at most 1000 points fit in one answer.' }),
})

const Percentiles = z
  .strictObject({ p50: z.number().min(0), p95: z.number().min(0), p99: z.number().min(0) })
  .meta({ id: 'Percentiles' })

const Point = z
  .strictObject({
    at: Timestamp.meta({ description: 'Where the point begins.' }),
    accepted: Count,
    processed: Count,
    failed: Count,
    queue_wait_ms: Percentiles.nullable(),
    processing_ms: Percentiles.nullable(),
    contradictions_opened: Count,
    contradictions_resolved: Count,
    convergence: Share.nullable().meta({ description: 'Score at the end of the point.' }),
  })
  .meta({ id: 'MetricsPoint' })

export const ScopeMetrics = z
  .strictObject({ scope_id: ScopeId, from: Timestamp, to: Timestamp, step: Step, points: z.array(Point) })
  .meta({ id: 'ScopeMetrics' })

export const RemovedContent = z
  .strictObject({
    documents: Count,
    claims: Count,
    contradictions: Count,
    idempotency_records: Count,
    log_entries: Count,
  })
  .meta({ id: 'RemovedContent' })

export const ResetScope = z
  .strictObject({
    scope_id: ScopeId,
    epoch: Count.meta({ description: 'The new generation; work of an older one has no effect.' }),
    removed: RemovedContent,
    seq: Seq.meta({ description: 'Where `scope.reset` stands in the log, which goes on from there.' }),
  })
  .meta({ id: 'ResetScope' })

export const DeletedScope = z
  .strictObject({ scope_id: ScopeId, removed: RemovedContent })
  .meta({ id: 'DeletedScope' })
