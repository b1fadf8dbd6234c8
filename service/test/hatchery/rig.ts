/** The common parts of the tests of the sandbox: a sandbox with the obedient child, and a look at the living processes. */
import { execFileSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { ReadingOutcome, ReadingTask } from '../../src/domain/attempt.ts'
import { createSandbox } from '../../src/hatchery/sandbox.ts'
import type { Sandbox, SandboxOptions } from '../../src/hatchery/sandbox.ts'
import type { Limits } from '../../src/hatchery/sandbox/job.ts'
import { silentLog } from '../support/log.ts'

const obedient = new URL('./children/obedient.ts', import.meta.url)

/** The spare leaves the slow pool alone, unless a test wants its help. */
const NEVER = 2 ** 30

/** The answers to the deeds `measure` and `work`. */
export interface MeasuredRun {
  readonly length: number
  readonly pid: number
}

const running: Sandbox<unknown>[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.stop()))
})

/** Such that a short text gets this time, and this first pass. */
export function limitsOf({ timeMs, lookMs }: { readonly timeMs: number; readonly lookMs: number }): Limits {
  return { timeMs: 20 * timeMs, sliceMs: 125 * lookMs, memoryMb: 256 }
}

/** Started, and stopped after the test. The time is short enough for a test and the memory what a child needs. */
export async function startSandbox<Result = MeasuredRun>(
  changes: Partial<SandboxOptions<Result>> = {},
): Promise<Sandbox<Result>> {
  const sandbox = createSandbox<Result>({
    entry: obedient,
    size: 1,
    slowSize: 1,
    othersAfterMs: 0,
    limits: limitsOf({ timeMs: 300, lookMs: 10 }),
    maxWaiting: 100,
    quietMs: NEVER,
    decode: (body) => JSON.parse(String(body)) as Result,
    log: silentLog,
    ...changes,
  })
  running.push(sandbox)
  await sandbox.start()
  return sandbox
}

/** One sandbox for all tests of a describe; for tests that leave it as they found it. */
export function shareSandbox(changes: Partial<SandboxOptions<MeasuredRun>>): () => Sandbox<MeasuredRun> {
  let shared: Sandbox<MeasuredRun> | undefined
  beforeAll(async () => {
    shared = await startSandbox(changes)
    running.pop()
  })
  afterAll(() => shared?.stop())
  return () => {
    if (!shared) throw new Error('The shared sandbox is started before the first test.')
    return shared
  }
}

export function task(text: string, failedBefore = false): ReadingTask {
  return { id: text.slice(0, 20), text, failedBefore }
}

export function resultOf<Result>(outcome: ReadingOutcome<Result>): Result {
  if (outcome.kind === 'done') return outcome.result
  throw new Error(`expected a result, not ${outcome.reason}: ${outcome.detail}`)
}

export function pidOf(outcome: ReadingOutcome<MeasuredRun>): number {
  return resultOf(outcome).pid
}

/** A figure worth reading, whether or not the test passes. */
export function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The children of this process that run the obedient script. */
/** By a word of their command. */
export function livingChildren(script = 'obedient'): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...command]) => Number(parent) === process.pid && command.join(' ').includes(script))
    .map(([pid]) => Number(pid))
}
