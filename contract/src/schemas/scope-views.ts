/** A scope at a glance and over time, and what is left of it after a reset. */
import { z } from 'zod'
import { Contradiction } from './contradictions.ts'
import type { ContradictionKind, ContradictionStatus, Relation, Severity } from './contradictions.ts'
import { Share } from './claims.ts'
import { ConvergenceAtAGlance, ConvergenceState } from './convergence.ts'
import { Count, countsOf, instant, ScopeId, Seq, Timestamp } from './identity.ts'
import { ReadingTotals } from './reading.ts'
import { documentCounts, Scope, ScopeRuntime } from './scopes.ts'

const Contradictions = z
  .strictObject({
    total: Count.meta({ description: 'All contradictions, whatever became of them.' }),
    by_status: z
      .strictObject(
        countsOf<z.output<typeof ContradictionStatus>>({
          open: 'Contradictions that nothing is decided about.',
          resolved: 'Contradictions for which a decision says which side holds.',
          dismissed: 'Contradictions that were decided to be none.',
        }),
      )
      .meta({ description: 'How many there are in each status.' }),
    by_severity: z
      .strictObject(
        countsOf<z.output<typeof Severity>>({
          low: 'Open ones that matter little.',
          medium: 'Open ones that matter somewhat.',
          high: 'Open ones that matter much; any keeps the scope `contested`.',
          critical: 'Open ones that matter most; any keeps the scope `contested`.',
        }),
      )
      .meta({ description: 'Of those that are open.' }),
    by_relation: z
      .strictObject(
        countsOf<z.output<typeof Relation>>({
          conflict: 'Open ones whose sides cannot both hold.',
          restatement: 'Open ones where one side says that it takes the place of the other.',
          change: 'Open ones whose sides both held, one after the other.',
        }),
      )
      .meta({ description: 'Of those that are open.' }),
    by_kind: z
      .strictObject(
        countsOf<z.output<typeof ContradictionKind>>({
          money: 'Open ones about amounts of money.',
          percent: 'Open ones about percentages.',
          count: 'Open ones about how many there are of something.',
          measure: 'Open ones about measured quantities, such as lengths or weights.',
          ratio: 'Open ones about ratios.',
          date: 'Open ones about dates.',
          duration: 'Open ones about how long something takes.',
          version: 'Open ones about version numbers.',
          level: 'Open ones about places on an ordered scale.',
          status: 'Open ones about the state that something is in.',
          existence: 'Open ones about whether there is such a thing.',
          identity: 'Open ones about who or what something is.',
          reported: 'Open ones that a person or another system reported.',
        }),
      )
      .meta({ description: 'Of those that are open.' }),
    newest: z
      .array(Contradiction)
      .max(5)
      .meta({ description: 'The newest that are open, with both quotes.' }),
  })
  .meta({
    id: 'ContradictionsAtAGlance',
    description: 'How many contradictions the scope has, and the newest open ones.',
  })

/** Instants, not ages: an age would change the ETag of a scope in which nothing happens. */
export const ScopeSummary = Scope.extend({
  runtime: ScopeRuntime,
  documents: z
    .strictObject({
      ...documentCounts,
      oldest_queued_at: Timestamp.nullable().meta({
        description: 'Since when the one waits that has waited longest; null while none does.',
      }),
    })
    .meta({ description: 'How many documents the scope has, in all and by status.' }),
  claims: z
    .strictObject({
      total: Count.meta({ description: 'Of the versions that are in force.' }),
    })
    .meta({ description: 'How many claims were found.' }),
  reading: ReadingTotals.meta({ description: 'How much of all documents was read and compared.' }),
  contradictions: Contradictions,
  convergence: ConvergenceAtAGlance,
  log_head: Seq.nullable().meta({ description: 'Null while the log is empty.' }),
  last_activity_at: Timestamp.nullable().meta({
    description: 'When the last entry of the log was written; null while the log is empty.',
  }),
}).meta({ id: 'ScopeSummary', description: 'The scope at a glance.' })

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

const Percentiles = z
  .strictObject({
    p50: Milliseconds.meta({ description: 'Half of the documents took this many milliseconds or fewer.' }),
    p90: Milliseconds.meta({ description: '90 of 100 documents took this many milliseconds or fewer.' }),
    p99: Milliseconds.meta({ description: '99 of 100 documents took this many milliseconds or fewer.' }),
  })
  .meta({
    id: 'Percentiles',
    description: 'In milliseconds, right to within a tenth of the value or a millisecond.',
  })

const PointConvergence = z
  .strictObject({
    score: Share.meta({
      description: 'How settled the scope was, from 0 to 1; right to within a hundredth.',
    }),
    state: ConvergenceState,
  })
  .meta({ id: 'MetricsConvergence' })

const Point = z
  .strictObject({
    at: Timestamp.meta({ description: 'Where the point begins.' }),
    accepted: Count.meta({ description: 'Taken into the queue: sent, triggered or tried again.' }),
    processed: Count.meta({ description: 'Documents that were processed here.' }),
    failed: Count.meta({ description: 'Documents that failed here, after their last attempt.' }),
    queue_wait_ms: Percentiles.nullable().meta({
      description: 'How long documents had waited whose first attempt began here; null where none did.',
    }),
    processing_ms: Percentiles.nullable().meta({
      description: 'How long the attempt took that ended a document here; null where none ended.',
    }),
    contradictions: z
      .strictObject({
        opened: Count.meta({ description: 'Found or reported, and open.' }),
        resolved: Count.meta({ description: 'Decided here by saying which side holds.' }),
        dismissed: Count.meta({ description: 'Decided here to be no contradiction.' }),
        reopened: Count.meta({ description: 'By a person, or by a document that came later.' }),
      })
      .meta({ description: 'What became of contradictions here.' }),
    convergence: PointConvergence.nullable().meta({
      description:
        'How settled the scope was when the point ended, or is now; null before that first moved, and beyond its last 10,000 moves.',
    }),
  })
  .meta({ id: 'MetricsPoint' })

export const ScopeMetrics = z
  .strictObject({
    scope_id: ScopeId,
    from: Timestamp.meta({ description: 'Where the first point begins, at a multiple of the step.' }),
    to: Timestamp.meta({ description: 'Where the last one ends; it may not have ended yet.' }),
    step: Step.meta({ description: 'Width of each point.' }),
    points: z.array(Point).max(1_000).meta({ description: 'One point for each step, oldest first.' }),
  })
  .meta({ id: 'ScopeMetrics' })

export const RemovedContent = z
  .strictObject({
    documents: Count.meta({ description: 'Documents, with all their versions.' }),
    claims: Count.meta({ description: 'Claims of all documents.' }),
    contradictions: Count.meta({ description: 'Contradictions, found and reported.' }),
    idempotency_records: Count.meta({
      description: 'Idempotency keys that were remembered; each may be used anew.',
    }),
    log_entries: Count.meta({ description: 'Entries of the log.' }),
  })
  .meta({ id: 'RemovedContent', description: 'How much was removed, by kind.' })

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
