// `npm run check`: every rule of the house, one line per step, the full output of a step only when it failed. It goes
// on to the end and exits non-zero when any step failed. `--only NAME`, as often as wanted, runs single steps, `--full` the slow tests as well.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runSteps } from './check/run-steps.ts'
import type { Result } from './check/run-steps.ts'
import { steps } from './check/steps.ts'
import type { CheckStep } from './check/steps.ts'

function report({ step, outcome, seconds, output }: Result): void {
  const reason = outcome === 'left out' ? `  ${output}` : ''
  console.log(`${step.name.padEnd(10)} ${outcome.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s${reason}`)
  if (outcome === 'failed') console.log(`\n$ ${step.command.join(' ')}\n${output.trimEnd()}\n`)
}

async function runAndReport(chosen: readonly CheckStep[]): Promise<string[]> {
  const failed: string[] = []
  for await (const result of runSteps(join(import.meta.dirname, '..'), chosen)) {
    report(result)
    if (result.outcome === 'failed') failed.push(result.step.name)
  }
  return failed
}

if (import.meta.main) {
  const options = {
    only: { type: 'string', multiple: true },
    full: { type: 'boolean', default: false },
  } as const
  const { only, full } = parseArgs({ options }).values
  const chosen = steps.filter((step) => only?.includes(step.name) ?? (full || !step.full))
  const unknown = (only ?? []).filter((name) => !steps.some((step) => step.name === name))
  const failed = unknown.length > 0 ? [] : await runAndReport(chosen)
  if (unknown.length > 0)
    console.error(
      `There is no step ${unknown.join(', ')}; choose from ${steps.map((step) => step.name).join(', ')}.`,
    )
  if (failed.length > 0)
    console.error(`Failed: ${failed.join(', ')}. Run one alone with npm run check -- --only NAME.`)
  if (unknown.length > 0 || failed.length > 0) process.exitCode = 1
}
