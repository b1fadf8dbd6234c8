// Runs steps as child processes. Results come in the order of the list, those that want to be alone last, each as soon as it
// and all before it are done.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runInLanes } from './lanes.ts'
import type { CheckStep } from './steps.ts'

export interface Result {
  step: CheckStep
  outcome: 'passed' | 'failed' | 'left out'
  seconds: number
  /** All that the step printed, both streams in the order they came. */
  output: string
}

export async function* runSteps(root: string, steps: readonly CheckStep[]): AsyncGenerator<Result> {
  const queue = steps
    .toSorted((a, b) => Number(a.alone ?? false) - Number(b.alone ?? false))
    .map((step) => ({ ...step, step, result: Promise.withResolvers<Result>() }))
  const lanes = runInLanes(queue, async ({ step, result }) => result.resolve(await runStep(root, step)))
  for (const { result } of queue) yield await result.promise
  await lanes
}

async function runStep(root: string, step: CheckStep): Promise<Result> {
  const { needs } = step
  if (needs !== undefined && !existsSync(join(root, needs)))
    return { step, outcome: 'left out', seconds: 0, output: `${needs} does not exist` }
  const start = performance.now()
  const { code, output } = await run(root, step.command)
  const seconds = (performance.now() - start) / 1000
  return { step, outcome: code === 0 ? 'passed' : 'failed', seconds, output }
}

function run(root: string, command: CheckStep['command']): Promise<{ code: number; output: string }> {
  const [file, ...options] = command
  const bin = join(root, 'node_modules/.bin')
  // The repository brings its own Node; scripts that start with `env node` must find that one.
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` }
  const program = file === 'node' ? process.execPath : join(bin, file)
  return new Promise((resolve) => {
    const child = spawn(program, options, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) =>
      resolve({ code: 1, output: `${file} did not start, run npm ci: ${error.message}` }),
    )
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }))
  })
}
