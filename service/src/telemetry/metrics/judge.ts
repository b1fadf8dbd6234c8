/** The metrics of a worker that asks a judge. */
import { labelled, numberMetric } from '../../platform/metrics.ts'
import type { Metric } from '../../platform/metrics.ts'

export interface JudgeMetricCounts {
  readonly verdicts: Readonly<Record<string, number>>
  readonly refused: Readonly<Record<string, number>>
  readonly failed: Readonly<Record<string, number>>
  readonly asked: number
  readonly tokens: number
  readonly overBudget: number
  readonly notAllowed: number
  readonly waiting: number
}

export function createJudgeMetrics(counts: JudgeMetricCounts, state: () => 'on' | 'failing'): Metric[] {
  return [
    numberMetric('counter', 'concord_judge_requests', 'Requests to the judge.', () => counts.asked),
    {
      kind: 'counter',
      name: 'concord_judge_verdicts',
      help: 'Pairs of claims that are decided, by verdict; unsure also after two invalid answers.',
      read: () => labelled('verdict', counts.verdicts),
    },
    {
      kind: 'counter',
      name: 'concord_judge_refused_answers',
      help: 'Answers of the judge that were rejected, by reason.',
      read: () => labelled('reason', counts.refused),
    },
    {
      kind: 'counter',
      name: 'concord_judge_failures',
      help: 'Requests without an answer, by reason; each is retried.',
      read: () => labelled('reason', counts.failed),
    },
    numberMetric('counter', 'concord_judge_tokens', 'Tokens that the judge used.', () => counts.tokens),
    numberMetric(
      'counter',
      'concord_judge_over_budget',
      'Requests that were postponed because the budget of their tenant is spent.',
      () => counts.overBudget,
    ),
    numberMetric(
      'counter',
      'concord_judge_not_allowed',
      'Requests that were postponed because no policy permits them for both documents.',
      () => counts.notAllowed,
    ),
    numberMetric(
      'gauge',
      'concord_judge_waiting',
      'Waiting requests of all tenants, counted up to 10,000.',
      () => counts.waiting,
    ),
    numberMetric('gauge', 'concord_judge_failing', '1 while the judge does not answer.', () =>
      state() === 'failing' ? 1 : 0,
    ),
  ]
}
