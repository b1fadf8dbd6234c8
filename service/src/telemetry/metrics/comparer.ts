/** The metrics of a worker that compares by a language model. */
import { labelled } from '../../platform/metrics.ts'
import type { Metric } from '../../platform/metrics.ts'

export function createComparerMetrics({
  steps,
}: {
  readonly steps: Readonly<Record<string, number>>
}): Metric[] {
  return [
    {
      kind: 'counter',
      name: 'concord_comparison_steps',
      help: 'Comparison steps by outcome: compared; declined by the model; again and failed are tried once more; gone was taken or replaced.',
      read: () => labelled('outcome', steps),
    },
  ]
}
