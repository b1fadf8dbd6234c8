/** The metrics of a worker that compares by a language model. */
import { labelled } from '../../platform/figures.ts'
import type { Figure } from '../../platform/figures.ts'

export function createComparerFigures({
  steps,
}: {
  readonly steps: Readonly<Record<string, number>>
}): Figure[] {
  return [
    {
      kind: 'counter',
      name: 'concord_comparison_steps',
      help: 'Comparison steps by outcome: compared; declined by the model; again and failed are tried once more; gone was taken or replaced.',
      read: () => labelled('outcome', steps),
    },
  ]
}
