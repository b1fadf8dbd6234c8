/** A scope at a glance and over time, and what is left of it after a reset. */
import { z } from 'zod'
import { recordOf } from '../keys.ts'
import {
  Contradiction,
  ContradictionKind,
  ContradictionStatus,
  Relation,
  Severity,
} from './contradictions.ts'
import { ConvergenceAtAGlance } from './convergence.ts'
import { Count, instant, ScopeId, Seq, Timestamp } from './identity.ts'
import { ReadingTotals } from './reading.ts'
import { documentCounts, Scope, ScopeRuntime } from './scopes.ts'

const Contradictions = z
  .strictObject({
    total: Count,
    by_status: z.strictObject(recordOf(ContradictionStatus.options, Count)),
    by_severity: z
      .strictObject(recordOf(Severity.options, Count))
      .meta({ description: 'Of those that are open.' }),
    by_relation: z
      .strictObject(recordOf(Relation.options, Count))
      .meta({ description: 'Of those that are open.' }),
    by_kind: z
      .strictObject(recordOf(ContradictionKind.options, Count))
      .meta({ description: 'Of those that are open.' }),
    newest: z
      .array(Contradiction)
      .max(5)
      .meta({ description: 'The newest that are open, with both quotes.' }),
  })
  .meta({ id: 'ContradictionsAtAGlance' })

/** Instants, not ages: an age would change the ETag of a scope in which nothing happens. */
export const ScopeSummary = Scope.extend({
  runtime: ScopeRuntime,
  documents: z.strictObject({
    ...documentCounts,
    oldest_queued_at: Timestamp.nullable().meta({
      description: 'Since when the one waits that has waited longest; null while none does.',
    }),
  }),
  claims: z.strictObject({
    total: Count.meta({ description: 'Of the versions that are in force.' }),
  }),
  reading: ReadingTotals.meta({ description: 'How much of all documents was read and compared.' }),
  contradictions: Contradictions,
  convergence: ConvergenceAtAGlance,
  log_head: Seq.nullable().meta({ description: 'Null while the log is empty.' }),
  last_activity_at: Timestamp.nullable().meta({ description: 'When the last entry of the log was written.' }),
}).meta({ id: 'ScopeSummary' })

const Step = z.enum(['1m', '5m', '15m', '1h', '1d'])

export const metricsQuery = z.strictObject({
  from: instant('An hour before `to` when left out.').optional(),
  to: instant('Now when left out, and never later than now.').optional(),
  step: Step.default('1m').meta({
    description:
      'Width of a point. An answer has at most 1000; those narrower than an hour are kept for eight days.',
  }),
})

const Milliseconds = z.number().min(0)

const Percentiles = z.strictObject({ p50: Milliseconds, p90: Milliseconds, p99: Milliseconds }).meta({
  id: 'Percentiles',
  description: 'In milliseconds, right to within a tenth of the value or a millisecond.',
})

const Point = z
  .strictObject({
    at: Timestamp.meta({ description: 'Where the point begins.' }),
    accepted: Count.meta({ description: 'Taken into the queue: sent, triggered or tried again.' }),
    processed: Count,
    failed: Count,
    queue_wait_ms: Percentiles.nullable().meta({
      description: 'How long documents had waited whose first attempt began here; null where none did.',
    }),
    processing_ms: Percentiles.nullable().meta({
      description: 'How long the attempt took that ended a document here; null where none ended.',
    }),
    contradictions: z
      .strictObject({
        opened: Count.meta({ description: 'Found or reported, and open.' }),
        resolved: Count,
        dismissed: Count,
        reopened: Count.meta({ description: 'By a person, or by a document that came later.' }),
      })
      .meta({ description: 'What became of contradictions here.' }),
  })
  .meta({ id: 'MetricsPoint' })

export const ScopeMetrics = z
  .strictObject({
    scope_id: ScopeId,
    from: Timestamp.meta({ description: 'Where the first point begins, at a multiple of the step.' }),
    to: Timestamp.meta({ description: 'Where the last one ends; it may not have ended yet.' }),
    step: Step,
    points: z.array(Point).max(1_000),
  })
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
