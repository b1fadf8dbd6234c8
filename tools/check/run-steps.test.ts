// Runs real child processes in a folder of its own; each script says what the next assertion needs.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runSteps } from './run-steps.ts'
import type { Result } from './run-steps.ts'
import type { CheckStep } from './steps.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'steps-'))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

function step(name: string, script: string, more: Partial<CheckStep> = {}): CheckStep {
  writeFileSync(join(root, `${name}.mjs`), script)
  return { name, command: ['node', `${name}.mjs`], ...more }
}

async function run(...steps: CheckStep[]): Promise<Result[]> {
  const results: Result[] = []
  for await (const result of runSteps(root, steps)) results.push(result)
  return results
}

// Ends when another script has written the file, so that order is forced and not hoped for.
const waitFor = (file: string): string =>
  `import { existsSync } from 'node:fs'; const end = Date.now() + 10_000
   while (!existsSync('${file}')) { if (Date.now() > end) process.exit(3); await new Promise((go) => setTimeout(go, 5)) }`
const write = (file: string): string =>
  `import { writeFileSync } from 'node:fs'; writeFileSync('${file}', '')`

describe('the steps of the check', () => {
  it('go on after a failure, which keeps all its output', async () => {
    const bad = step('bad', `console.log('to stdout'); console.error('to stderr'); process.exitCode = 2`)
    const [first, second] = await run(bad, step('good', ''))
    expect(first).toMatchObject({ outcome: 'failed' })
    expect(first?.output).toContain('to stdout')
    expect(first?.output).toContain('to stderr')
    expect(second).toMatchObject({ outcome: 'passed', output: '' })
  })

  it('run two at a time and are told in the order of the list', async () => {
    const results = await run(step('slow', waitFor('flag')), step('quick', write('flag')), step('third', ''))
    expect(results.map((result) => [result.step.name, result.outcome])).toEqual([
      ['slow', 'passed'],
      ['quick', 'passed'],
      ['third', 'passed'],
    ])
  })

  it('that take longest start first, and are told at their place in the list', async () => {
    const results = await run(
      step('one', waitFor('flag')),
      step('two', waitFor('flag')),
      step('long', write('flag'), { first: true }),
    )
    expect(results.map((result) => [result.step.name, result.outcome])).toEqual([
      ['one', 'passed'],
      ['two', 'passed'],
      ['long', 'passed'],
    ])
  })

  it('that want to be alone start when all others have ended', async () => {
    // Late enough that a step which did not wait would have failed before.
    const late = `await new Promise((go) => setTimeout(go, 200))\n${write('flag')}`
    const alone = `import { statSync } from 'node:fs'; statSync('flag')`
    const results = await run(step('alone', alone, { alone: true }), step('late', late))
    expect(results.map((result) => [result.step.name, result.outcome])).toEqual([
      ['late', 'passed'],
      ['alone', 'passed'],
    ])
  })

  it('are left out, with the reason, while their file does not exist', async () => {
    const [result] = await run(step('later', 'process.exit(1)', { needs: 'tools/later.ts' }))
    expect(result).toMatchObject({ outcome: 'left out', output: 'tools/later.ts does not exist' })
  })

  it('fail, with advice, when their tool is not installed', async () => {
    const [result] = await run({ name: 'lint', command: ['no-such-tool'] })
    expect(result?.outcome).toBe('failed')
    expect(result?.output).toContain('run npm ci')
  })

  it('fail when a signal ended them', async () => {
    const [result] = await run(step('killed', `process.kill(process.pid, 'SIGKILL')`))
    expect(result?.outcome).toBe('failed')
  })
})
