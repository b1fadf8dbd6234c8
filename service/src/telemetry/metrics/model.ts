/** The metrics of a worker that reads with a language model. */
import { labelled, numberMetric } from '../../platform/metrics.ts'
import type { Metric } from '../../platform/metrics.ts'

export interface ModelSources {
  /** By step. */
  readonly endpoint: Readonly<
    Record<
      string,
      {
        readonly requests: Readonly<Record<string, number>>
        readonly inputTokens: number
        readonly outputTokens: number
      }
    >
  >
  readonly answers: { readonly reused: Readonly<Record<string, number>>; readonly overBudget: number }
  readonly inFlight: () => number
  readonly waiting: () => number
  readonly parked: () => number
  readonly state: () => 'on' | 'failing'
}

export function createModelMetrics({ endpoint, answers, ...live }: ModelSources): Metric[] {
  const byStep = (read: (step: ModelSources['endpoint'][string]) => number) => () =>
    Object.entries(endpoint).map(([step, counts]) => ({ value: read(counts), labels: { step } }))
  return [
    {
      kind: 'counter',
      name: 'concord_model_requests',
      help: 'Requests to the language model, by step and outcome; not_sent where the circuit breaker refused them.',
      read: () =>
        Object.entries(endpoint).flatMap(([step, { requests }]) =>
          Object.entries(requests).map(([outcome, value]) => ({ value, labels: { step, outcome } })),
        ),
    },
    {
      kind: 'counter',
      name: 'concord_model_input_tokens',
      help: 'Tokens of requests to the language model, by step.',
      read: byStep(({ inputTokens }) => inputTokens),
    },
    {
      kind: 'counter',
      name: 'concord_model_output_tokens',
      help: 'Tokens of answers of the language model, by step.',
      read: byStep(({ outputTokens }) => outputTokens),
    },
    {
      kind: 'counter',
      name: 'concord_model_stored_answers',
      help: 'Requests that were not sent because their answer was stored already, by step.',
      read: () => labelled('step', answers.reused),
    },
    numberMetric(
      'counter',
      'concord_model_over_budget',
      'Requests that were not sent because the budget of their tenant is spent.',
      () => answers.overBudget,
    ),
    numberMetric('gauge', 'concord_model_requests_in_flight', 'Requests in flight.', live.inFlight),
    numberMetric(
      'gauge',
      'concord_model_requests_waiting',
      'Requests that wait for others to end, or for the rate limit of all workers.',
      live.waiting,
    ),
    numberMetric(
      'gauge',
      'concord_model_parked_documents',
      'Documents whose attempt waits for the language model.',
      live.parked,
    ),
    numberMetric('gauge', 'concord_model_failing', '1 while the language model does not answer.', () =>
      live.state() === 'failing' ? 1 : 0,
    ),
  ]
}
