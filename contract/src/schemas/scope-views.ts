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
    total: Count.meta({ description: 'All contradictions, in every status.' }),
    by_status: z
      .strictObject(
        countsOf<z.output<typeof ContradictionStatus>>({
          open: 'Contradictions without a decision.',
          resolved: 'Contradictions for which a decision says which side is right.',
          dismissed: 'Contradictions for which a decision says that they are not contradictions.',
        }),
      )
      .meta({ description: 'How many there are in each status.' }),
    by_severity: z
      .strictObject(
        countsOf<z.output<typeof Severity>>({
          low: 'Open contradictions of low severity.',
          medium: 'Open contradictions of medium severity.',
          high: 'Open contradictions of high severity; any of them keeps the scope `contested`.',
          critical: 'Open contradictions of critical severity; any of them keeps the scope `contested`.',
        }),
      )
      .meta({ description: 'Counts of open contradictions.' }),
    by_relation: z
      .strictObject(
        countsOf<z.output<typeof Relation>>({
          conflict: 'Open contradictions whose sides cannot both be true.',
          restatement: 'Open contradictions in which one side says that it replaces the other.',
          change: 'Open contradictions whose sides were both true, one after the other.',
        }),
      )
      .meta({ description: 'Counts of open contradictions.' }),
    by_kind: z
      .strictObject(
        countsOf<z.output<typeof ContradictionKind>>({
          money: 'Open contradictions about amounts of money.',
          percent: 'Open contradictions about percentages.',
          count: 'Open contradictions about how many there are of something.',
          measure: 'Open contradictions about measured quantities, such as lengths or weights.',
          ratio: 'Open contradictions about ratios.',
          date: 'Open contradictions about dates.',
          duration: 'Open contradictions about how long something takes.',
          version: 'Open contradictions about version numbers.',
          level: 'Open contradictions about positions on an ordered scale.',
          status: 'Open contradictions about the state that something is in.',
          existence: 'Open contradictions about whether there is such a thing.',
          identity: 'Open contradictions about who or what something is.',
          reported: 'Open contradictions that a person or another system reported.',
        }),
      )
      .meta({ description: 'Counts of open contradictions.' }),
    newest: z
      .array(Contradiction)
      .max(5)
      .meta({ description: 'The newest open contradictions, with both quotes.' }),
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
        description: 'The time since which the oldest queued document waits; null if none waits.',
      }),
    })
    .meta({ description: 'How many documents the scope has, in all and by status.' }),
  claims: z
    .strictObject({
      total: Count.meta({ description: 'Claims of the current versions.' }),
    })
    .meta({ description: 'Number of claims that were found.' }),
  reading: ReadingTotals.meta({ description: 'How much of all documents was read and compared.' }),
  contradictions: Contradictions,
  convergence: ConvergenceAtAGlance,
  log_head: Seq.nullable().meta({ description: 'The last position of the log; null while it is empty.' }),
  last_activity_at: Timestamp.nullable().meta({
    description: 'When the last entry of the log was written; null while the log is empty.',
  }),
}).meta({ id: 'ScopeSummary', description: 'The summary of the scope.' })

const Step = z.enum(['1m', '5m', '15m', '1h', '1d'])

export const metricsQuery = z.strictObject({
  from: instant('An hour before `to` when left out.').optional(),
  to: instant('Now when left out, and never later than now.').optional(),
  step: Step.default('1m').meta({
    description:
      'Width of a point. A response has at most 1,000 points; points narrower than an hour are kept for eight ' +
      'days.',
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
    description: 'In milliseconds, accurate to a tenth of the value or a millisecond.',
  })

const PointConvergence = z
  .strictObject({
    score: Share.meta({
      description: 'Score of the scope, from 0 to 1, accurate to 0.01.',
    }),
    state: ConvergenceState,
  })
  .meta({ id: 'MetricsConvergence' })

const Point = z
  .strictObject({
    at: Timestamp.meta({ description: 'Start of the point.' }),
    accepted: Count.meta({ description: 'Documents that were queued: sent, triggered or retried.' }),
    processed: Count.meta({ description: 'Documents that were processed in this period.' }),
    failed: Count.meta({ description: 'Documents that failed in this period, after their last attempt.' }),
    queue_wait_ms: Percentiles.nullable().meta({
      description:
        'Waiting time of documents whose first attempt started in this period; null if there were none.',
    }),
    processing_ms: Percentiles.nullable().meta({
      description:
        'Duration of the last attempt of documents that completed in this period; null if there were none.',
    }),
    contradictions: z
      .strictObject({
        opened: Count.meta({ description: 'Contradictions that were found or reported and opened.' }),
        resolved: Count.meta({ description: 'Contradictions that were resolved in this period.' }),
        dismissed: Count.meta({ description: 'Contradictions that were dismissed in this period.' }),
        reopened: Count.meta({
          description: 'Contradictions that were reopened by a person, or by a document that arrived later.',
        }),
      })
      .meta({ description: 'Changes of contradictions in this period.' }),
    convergence: PointConvergence.nullable().meta({
      description:
        'Score at the end of the point, or now; null before the score first changed, and beyond its last 10,000 ' +
        'changes.',
    }),
  })
  .meta({ id: 'MetricsPoint' })

export const ScopeMetrics = z
  .strictObject({
    scope_id: ScopeId,
    from: Timestamp.meta({ description: 'Start of the first point, at a multiple of the step.' }),
    to: Timestamp.meta({ description: 'End of the last point; it may be in the future.' }),
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
      description: 'Idempotency keys that were stored; each may be used again.',
    }),
    log_entries: Count.meta({ description: 'Entries of the log.' }),
  })
  .meta({ id: 'RemovedContent', description: 'How much was removed, by kind.' })

export const ResetScope = z
  .strictObject({
    scope_id: ScopeId,
    epoch: Count.meta({ description: 'The new generation; work of an older one has no effect.' }),
    removed: RemovedContent,
    seq: Seq.meta({ description: 'Position of `scope.reset` in the log, which continues from there.' }),
  })
  .meta({ id: 'ResetScope' })

export const DeletedScope = z
  .strictObject({ scope_id: ScopeId, removed: RemovedContent })
  .meta({ id: 'DeletedScope' })
