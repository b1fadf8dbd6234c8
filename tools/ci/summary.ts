/** The last lines of CI: what failed and why, what passed only at its second run, and the count. */
import type { StepResult } from './run-step.ts'

const FAILURE = /MISSED|FAIL|Error|[Ff]ailed|timed out/
const MAX_LINES = 12
const MAX_WIDTH = 240
// oxlint-disable-next-line no-control-regex
const COLOUR = /\x1b\[[0-9;]*m/g

/** The later of two results for one step counts. */
export function summarize(
  results: readonly StepResult[],
  seconds: number,
): { lines: string[]; passed: number; failed: number } {
  const last = new Map(results.map((result) => [result.step.name, result]))
  const outcomes = [...last.values()]
  const failures = outcomes.filter(({ passed }) => !passed)
  const flaky = results.filter((result) => !result.passed && last.get(result.step.name)?.passed === true)
  const passed = outcomes.length - failures.length
  const lines = [
    ...flaky.flatMap((result) => [
      `== flaky: ${result.step.name} passed only when it was repeated`,
      ...reasons(result),
    ]),
    ...failures.flatMap((result) => [`== failed: ${result.step.name}`, ...reasons(result)]),
    `== total: ${seconds} s`,
    `${passed} passed, ${failures.length} failed`,
  ]
  return { lines, passed, failed: failures.length }
}

function reasons({ output }: StepResult): string[] {
  const lines = output.replaceAll(COLOUR, '').split('\n')
  return lines
    .filter((line) => FAILURE.test(line))
    .slice(-MAX_LINES)
    .map((line) => line.slice(0, MAX_WIDTH))
}
