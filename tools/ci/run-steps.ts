/** Runs the steps of one phase, and reports each as it ends. */
import { runInLanes } from '../check/lanes.ts'
import { runStep } from './run-step.ts'
import type { StepResult } from './run-step.ts'
import type { CiStep } from './steps.ts'

export async function runSteps(
  root: string,
  steps: readonly CiStep[],
  report: (result: StepResult) => void,
): Promise<StepResult[]> {
  const results: StepResult[] = []
  await runInLanes(steps, async (step) => {
    const result = await runStep(root, step)
    results.push(result)
    report(result)
  })
  return results
}
