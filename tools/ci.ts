/**
 * `node tools/ci.ts`, which `.ci/run` starts once Node 24 and the packages are there: the checks, then suites and proofs,
 * two at a time where they do not measure pace, then a share of the sabotages. CI_SABOTAGES=all takes all of them.
 * Ends with "N passed, N failed" alone on a line.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeAdvisories } from './ci/advisories.ts'
import type { StepResult } from './ci/run-step.ts'
import { runSteps } from './ci/run-steps.ts'
import { summarize } from './ci/summary.ts'
import { checks, proofSteps, sabotageSteps, suites } from './ci/steps.ts'
import type { CiStep, ListedProof } from './ci/steps.ts'

const root = join(import.meta.dirname, '..')
const started = performance.now()
/** CI is ended after 90 minutes. On a machine so slow that this is in sight, sabotages that have not begun are skipped. */
const LAST_SABOTAGE_SECONDS = 3300

const print = (line: string) => void process.stdout.write(`${line}\n`)
const elapsedSeconds = () => Math.round((performance.now() - started) / 1000)

function report({ step, passed, exitCode, seconds, output }: StepResult): void {
  const outcome = passed ? 'passed' : `FAILED with exit code ${exitCode}`
  print(
    `== ${step.name}\n${output.trimEnd()}\n== ${step.name}: ${outcome} in ${seconds} s, at ${elapsedSeconds()} s`,
  )
}

function npmRun(...script: string[]): string {
  return execFileSync('npm', ['run', '--silent', ...script], { cwd: root, encoding: 'utf8' })
}

/** Each commit takes the share after that of the commit before it. */
function shareOfSabotages(): number | undefined {
  if (process.env['CI_SABOTAGES'] === 'all') return undefined
  return Number(execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, encoding: 'utf8' }))
}

function hasSystemPostgres(): boolean {
  try {
    return readdirSync('/usr/lib/postgresql').length > 0
  } catch {
    return false
  }
}

const run = (steps: readonly CiStep[]) => runSteps(root, steps, report)

async function runAll(systemServices: string): Promise<StepResult[]> {
  print(await describeAdvisories(root))
  const first = await run(checks)
  const proofs = JSON.parse(npmRun('prove', '--', '--list', '--json')) as ListedProof[]
  for (const { name, byHand } of proofs) if (byHand) print(`== prove ${name}: run by hand: ${byHand}`)
  const hasSystem = hasSystemPostgres()
  if (!hasSystem) print('== acceptance on the system Postgres: skipped, there is none')
  const results = [
    ...first,
    ...(await run([...suites(hasSystem ? systemServices : undefined), ...proofSteps(proofs)])),
  ]
  if (elapsedSeconds() < LAST_SABOTAGE_SECONDS)
    results.push(...(await run(sabotageSteps(proofs, shareOfSabotages()))))
  else print(`== sabotages: skipped after ${LAST_SABOTAGE_SECONDS} s`)
  const again = results.filter(({ step, passed }) => !passed && step.repeatable).map(({ step }) => step)
  return [...results, ...(await run(again.map((step) => ({ ...step, alone: true }))))]
}

const systemServices = mkdtempSync(join(tmpdir(), 'concord-ci-'))
process.env['CONCORD_POSTGRES'] ??= 'embedded'
try {
  npmRun('services', '--', 'stop')
  npmRun('services')
  const { lines, failed } = summarize(await runAll(systemServices), elapsedSeconds())
  for (const line of lines) print(line)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  npmRun('services', '--', 'stop')
  npmRun('services', '--', 'reset', '--dir', systemServices)
  rmSync(systemServices, { recursive: true, force: true })
}
