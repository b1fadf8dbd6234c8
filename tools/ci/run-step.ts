/** Runs one step as a process group of its own, which a timeout ends whole. */
import { spawn } from 'node:child_process'
import type { CiStep } from './steps.ts'
import { BOUND_MISSED, PACE_MISSED } from './steps.ts'

export interface StepResult {
  readonly step: CiStep
  readonly passed: boolean
  readonly exitCode: number
  readonly seconds: number
  /** Both output streams, in the order they came. */
  readonly output: string
}

const TIMED_OUT = 124
/** A process that was asked to end gets this long before it is killed. */
const GRACE_MS = 10_000

export async function runStep(root: string, step: CiStep): Promise<StepResult> {
  const started = performance.now()
  const { exitCode, output } = await runScript(root, step)
  const seconds = Math.round((performance.now() - started) / 1000)
  return { step, passed: isExpected(step, exitCode), exitCode, seconds, output }
}

/** An error before anything was measured is no missed bound, so it does not count for a sabotaged proof. */
function isExpected({ expects }: CiStep, exitCode: number): boolean {
  return expects === 'pass' ? exitCode === 0 : exitCode === BOUND_MISSED || exitCode === PACE_MISSED
}

function runScript(
  root: string,
  { script, env, timeoutSeconds }: CiStep,
): Promise<{ exitCode: number; output: string }> {
  const child = spawn('npm', ['run', '--silent', ...script], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const chunks: Buffer[] = []
  let timedOut = false
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // The group has ended meanwhile.
    }
  }
  const timers = [
    setTimeout(() => {
      timedOut = true
      signalGroup('SIGTERM')
    }, timeoutSeconds * 1000),
    setTimeout(() => signalGroup('SIGKILL'), timeoutSeconds * 1000 + GRACE_MS),
  ]
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve) => {
    let exitCode = 1
    child.on('error', (error) => chunks.push(Buffer.from(`npm did not start: ${error.message}\n`)))
    child.on('exit', (code) => {
      exitCode = timedOut ? TIMED_OUT : (code ?? 1)
      // A step leaves nothing behind that would slow the next one down, or hold its output open.
      signalGroup('SIGKILL')
    })
    child.on('close', () => {
      for (const timer of timers) clearTimeout(timer)
      const end = timedOut ? `timed out after ${timeoutSeconds} s\n` : ''
      resolve({ exitCode, output: `${Buffer.concat(chunks).toString('utf8')}${end}` })
    })
  })
}
