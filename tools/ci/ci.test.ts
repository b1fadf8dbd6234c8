// Runs real npm scripts in a folder of its own, and reads what CI would say of them.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runSteps } from './run-steps.ts'
import type { StepResult } from './run-step.ts'
import { proofSteps, sabotageSteps } from './steps.ts'
import type { CiStep } from './steps.ts'
import { summarize } from './summary.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ci-'))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

function define(scripts: Record<string, string>): void {
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }))
}

function step(name: string, rest: Partial<CiStep> = {}): CiStep {
  const base = { timeoutSeconds: 30, expects: 'pass', alone: false, repeatable: true } as const
  return { name, script: [name], ...base, ...rest }
}

const run = (...steps: CiStep[]): Promise<StepResult[]> => runSteps(root, steps, () => undefined)

/** Ends when another script has made the file, so that order is forced and not hoped for. */
const waitFor = (file: string): string =>
  `for i in $(seq 500); do [ -e ${file} ] && exit 0; sleep 0.02; done; exit 9`

describe('the steps of CI', () => {
  it('run two at a time', async () => {
    define({ waits: waitFor('flag'), makes: 'touch flag' })
    const results = await run(step('waits'), step('makes'))
    expect(results.map(({ passed }) => passed)).toEqual([true, true])
  })

  it('run alone where they measure pace', async () => {
    define({ late: 'sleep 0.3; touch flag', pace: 'test -e flag' })
    const results = await run(step('pace', { alone: true }), step('late'))
    expect(results.map((result) => [result.step.name, result.passed])).toEqual([
      ['late', true],
      ['pace', true],
    ])
  })

  it('are ended with all their processes when they take too long', async () => {
    define({ hangs: `sh -c 'sleep 3; touch survived' & sleep 30` })
    const [result] = await run(step('hangs', { timeoutSeconds: 1 }))
    expect(result).toMatchObject({ passed: false, exitCode: 124 })
    await new Promise((resolve) => void setTimeout(resolve, 2500))
    expect(existsSync(join(root, 'survived'))).toBe(false)
  })

  it('leave no process behind', async () => {
    define({ leaves: `sh -c 'sleep 1; touch survived' >/dev/null 2>&1 & true` })
    await run(step('leaves'))
    await new Promise((resolve) => void setTimeout(resolve, 1500))
    expect(existsSync(join(root, 'survived'))).toBe(false)
  })

  it('pass as sabotages only where a bound was missed', async () => {
    define({ holds: 'exit 0', misses: 'exit 1', slow: 'exit 4', errs: 'exit 3' })
    const steps = ['holds', 'misses', 'slow', 'errs'].map((name) =>
      step(name, { expects: 'missed bound', alone: true }),
    )
    expect((await run(...steps)).map(({ passed }) => passed)).toEqual([false, true, true, false])
  })
})

describe('the proofs that CI runs', () => {
  const proofs = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, measuresPace: name === 'b' }))
  const listed = [...proofs, { name: 'f', measuresPace: true, byHand: 'its bound is not reached' }]

  it('are all but those run by hand, alone where they measure pace', () => {
    expect(proofSteps(listed).map(({ name, alone }) => [name, alone])).toEqual(
      proofs.map(({ name, measuresPace }) => [`prove ${name}`, measuresPace]),
    )
  })

  it('are each sabotaged once in four runs', () => {
    const taken = [0, 1, 2, 3].flatMap((share) => sabotageSteps(listed, share).map(({ name }) => name))
    expect(taken.toSorted()).toEqual(proofs.map(({ name }) => `prove ${name} --sabotage`))
    expect(sabotageSteps(listed, undefined)).toHaveLength(proofs.length)
  })
})

describe('the last lines', () => {
  const result = (name: string, passed: boolean, output = ''): StepResult => ({
    step: step(name),
    passed,
    exitCode: passed ? 0 : 1,
    seconds: 1,
    output,
  })

  it('count steps, not runs, and name what passed only when it was repeated', () => {
    const { lines } = summarize(
      [result('a', true), result('b', false, 'x: 3 (<= 2)  MISSED'), result('b', true)],
      7,
    )
    expect(lines).toEqual([
      '== flaky: b passed only when it was repeated',
      'x: 3 (<= 2)  MISSED',
      '== total: 7 s',
      '2 passed, 0 failed',
    ])
  })

  it('say why a step failed', () => {
    const { lines, failed } = summarize([result('a', false, 'fine\n\u001b[31mError\u001b[0m: no')], 7)
    expect(failed).toBe(1)
    expect(lines).toEqual(['== failed: a', 'Error: no', '== total: 7 s', '0 passed, 1 failed'])
  })
})
