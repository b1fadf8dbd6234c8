/** Runs the steps of one phase: two at a time, then those that want to be alone, one after the other. */
import { runStep } from './run-step.ts'
import type { StepResult } from './run-step.ts'
import type { CiStep } from './steps.ts'

const LANES = 2

export async function runSteps(
  root: string,
  steps: readonly CiStep[],
  report: (result: StepResult) => void,
): Promise<StepResult[]> {
  const results: StepResult[] = []
  const waiting = steps.filter(({ alone }) => !alone).values()
  const run = async (step: CiStep): Promise<void> => {
    const result = await runStep(root, step)
    results.push(result)
    report(result)
  }
  const lane = async (): Promise<void> => {
    for (const step of waiting) await run(step)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  for (const step of steps) if (step.alone) await run(step)
  return results
}
